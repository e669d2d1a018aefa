import { useEffect, useState } from "preact/hooks";
import type { Detail as Found, Reason } from "../session/protocol.js";
import { isSelected, toggleSample } from "../state/selection.js";
import { session } from "../state/session.js";
import { nameCluster, run, shown, store } from "../state/store.js";
import { colourCluster } from "./colour.js";
import { Neighbors } from "./neighbor-list.js";
import { Passage } from "./passage.js";
import { Picture } from "./picture.js";

/** One sample in full, and why it is where it is. */
export function Detail({ id, sample }: { readonly id: number; readonly sample: number }) {
  const [found, setFound] = useState<Found | null>(null);
  const image = store.summary.value?.image;
  useEffect(() => {
    let late = false;
    void session.sample(id, sample).then((detail) => {
      if (!late) setFound(detail);
    });
    return () => {
      late = true;
    };
  }, [id, sample]);
  const { value: selection } = store.selection;
  const chosen = selection !== null && isSelected(selection, sample);
  if (!found) return <aside class="detail card" aria-label="Sample" />;
  return (
    <aside class="detail card" aria-label={`Sample ${found.id}`}>
      <header>
        <h2>
          <bdi>{found.id}</bdi>
        </h2>
        <span>
          <button
            type="button"
            class="quiet"
            aria-pressed={chosen}
            onClick={() => toggleSample(found.sample, "one by one")}
          >
            {chosen ? "Selected" : "Select"}
          </button>
          <button type="button" class="quiet" onClick={closeSample}>
            Close
          </button>
        </span>
      </header>
      {found.pixels && image && (
        <div class="beside">
          <figure>
            <Picture greys={found.pixels} size={image} label={`Sample ${found.id}`} />
            <figcaption>this sample</figcaption>
          </figure>
          <Prototype cluster={found.cluster} />
          {found.rival !== null && <Prototype cluster={found.rival} />}
        </div>
      )}
      <dl class="facts">
        {found.label !== null && (
          <div>
            <dt>Label</dt>
            <dd>{found.label}</dd>
          </div>
        )}
        <div>
          <dt>Cluster</dt>
          <dd>
            <ClusterName cluster={found.cluster} />
          </dd>
        </div>
        <div>
          <dt>Cosine to its prototype</dt>
          <dd>{found.cosine.toFixed(3)}</dd>
        </div>
        {found.rival !== null && (
          <div>
            <dt>Ahead of the next</dt>
            <dd>
              {found.margin.toFixed(3)} · <ClusterName cluster={found.rival} />
            </dd>
          </div>
        )}
      </dl>
      {found.passage.length > 0 && (
        <blockquote class="bonmf-passage" dir="auto">
          <Passage pieces={found.passage} />
        </blockquote>
      )}
      {!found.pixels && found.rival !== null && (
        <Reasons reasons={found.reasons} cluster={found.cluster} rival={found.rival} />
      )}
      <Neighbors key={found.sample} id={id} sample={found.sample} />
      {found.cells.length > 0 && (
        <details open={found.cells.length <= 12}>
          <summary>Values</summary>
          <dl class="cells">
            {found.cells.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </aside>
  );
}

/** The focus goes back to where the sample was chosen. */
export function closeSample(): void {
  const tile = document.querySelector<HTMLElement>('.tile[aria-pressed="true"]');
  store.sample.value = null;
  tile?.focus();
}

export function ClusterName({ cluster }: { readonly cluster: number }) {
  const { value: now } = run;
  return (
    <span class="group" style={{ "--bonmf-colour": colourCluster(cluster) }}>
      <i class="bonmf-swatch" />
      <bdi>{nameTopic(cluster) ?? nameCluster(now?.names ?? [], cluster)}</bdi>
    </span>
  );
}

/** The number and the words of a topic that nobody has named, as its card has them; null for other clusters. */
function nameTopic(cluster: number): string | null {
  const { value: findings } = shown;
  if (!findings?.topics || run.value?.names[cluster]) return null;
  const place = findings.clusters.findIndex(({ number }) => number === cluster);
  return place < 0 ? null : `${cluster} ${findings.topics.names[place]}`;
}

export function Prototype({ cluster }: { readonly cluster: number }) {
  const picture = shown.value?.clusters.find(({ number }) => number === cluster)?.picture;
  const size = shown.value?.pictures;
  if (!picture || !size) return null;
  return (
    <figure>
      <Picture greys={picture} size={size} label={`Prototype of cluster ${cluster}`} />
      <figcaption>
        <ClusterName cluster={cluster} />
      </figcaption>
    </figure>
  );
}

interface ReasonsProps {
  readonly reasons: readonly Reason[];
  readonly cluster: number;
  readonly rival: number;
}

/** Features for the cluster, and for the runner-up. */
export function Reasons({ reasons, cluster, rival }: ReasonsProps) {
  const most = Math.max(...reasons.map(({ weight }) => Math.abs(weight)), 1e-12);
  return (
    <div class="reasons">
      <h3>
        Why <ClusterName cluster={cluster} /> and not <ClusterName cluster={rival} />
      </h3>
      <ul>
        {reasons.map(({ name, weight }) => (
          <li key={name} class={weight > 0 ? "for" : "against"}>
            <span>{name}</span>
            <span class="bonmf-bar" aria-hidden="true" style={{ "--bonmf-filled": Math.abs(weight) / most }} />
            <small>{weight > 0 ? "for" : "against"}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
