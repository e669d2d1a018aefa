import type { Cluster, Findings } from "bonmf-report";
import { isolate } from "../session/isolate.js";
import type { Comparison } from "../session/protocol.js";
import { openTab } from "../state/actions.js";
import { selectSamples } from "../state/selection.js";
import { nameCluster, type Run } from "../state/store.js";
import { count, percent, plural } from "./format.js";
import { views } from "./lazy.js";
import { Picture } from "./picture.js";

/** One of the runs that are compared. */
export interface Side {
  readonly run: Run;
  /** Null until they are there. */
  readonly findings: Findings | null;
}

interface Props {
  readonly left: Side;
  readonly right: Side;
  readonly found: Comparison;
}

const MOST_MOVES = 30;
const WORDS = 4;

/** Clusters of both runs, matched one to one, with what they share. */
export function Matched({ left, right, found }: Props) {
  return (
    <section aria-labelledby="matched-title">
      <h3 id="matched-title">The same clusters</h3>
      <p class="hint">Matched one to one, so that as many samples as possible stay together.</p>
      <ul class="matched">
        {found.pairs.map((pair) => (
          <li key={`${pair.left} ${pair.right}`}>
            <Prototype side={left} cluster={pair.left} size={pair.sizes[0]} />
            <span class="shared">
              <b>{count(pair.shared)}</b>
              <span
                class="bonmf-bar"
                aria-hidden="true"
                style={{ "--bonmf-filled": pair.shared / Math.max(1, ...pair.sizes) }}
              />
              <small>in both</small>
            </span>
            <Prototype side={right} cluster={pair.right} size={pair.sizes[1]} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PrototypeProps {
  readonly side: Side;
  readonly cluster: number | null;
  readonly size: number;
}

function Prototype({ side, cluster, size }: PrototypeProps) {
  if (cluster === null) return <span class="partner none">no partner</span>;
  const one = side.findings?.clusters.find(({ number }) => number === cluster);
  const pictures = side.findings?.pictures;
  return (
    <span class="partner" style={{ "--bonmf-colour": colourIn(side.run, cluster) }}>
      {one?.picture && pictures ? (
        <span class="face">
          <Picture greys={one.picture} size={pictures} label={`Prototype of cluster ${cluster}`} />
        </span>
      ) : (
        <i class="bonmf-swatch" />
      )}
      <span class="row-text">
        <bdi class="row-name">{nameCluster(side.run.names, cluster)}</bdi>
        <span class="row-facts">{plural(size, "sample")}</span>
        {one && !one.picture && <span class="row-telling">{describe(one)}</span>}
      </span>
    </span>
  );
}

function describe({ distinctive }: Cluster): string {
  return distinctive
    .slice(0, WORDS)
    .map(({ name, direction, effect }) => (effect && direction === "low" ? `less ${isolate(name)}` : isolate(name)))
    .join(" · ");
}

export function colourIn(run: Run, cluster: number): string {
  return views.value?.colourOf(cluster, run.info.counts.length) ?? "gray";
}

/** Samples that are elsewhere in the right run. */
export function Moved({ left, right, found: { moved, labels } }: Props) {
  const total = moved.reduce((sum, { samples }) => sum + samples.length, 0);
  if (total === 0) return <p>No sample moved: both runs divide them in the same way.</p>;
  const select = (samples: Uint32Array, from: string) => {
    selectSamples(samples, from);
    openTab("samples");
  };
  const name = ({ run }: Side, cluster: number) => nameCluster(run.names, cluster);
  return (
    <section aria-labelledby="moved-title">
      <div class="title">
        <h3 id="moved-title">
          {plural(total, "sample")} moved, {percent(total / labels[0].length)}
        </h3>
        <button
          type="button"
          class="quiet"
          onClick={() =>
            select(
              Uint32Array.from(moved.flatMap(({ samples }) => Array.from(samples))),
              `moved between runs ${left.run.info.id} and ${right.run.info.id}`,
            )
          }
        >
          Show all that moved
        </button>
      </div>
      <ul class="moves">
        {moved.slice(0, MOST_MOVES).map(({ from, to, samples }) => (
          <li key={`${from} ${to}`}>
            <span>
              <i class="bonmf-swatch" style={{ "--bonmf-colour": colourIn(left.run, from) }} />
              <bdi>{name(left, from)}</bdi> →{" "}
              <i class="bonmf-swatch" style={{ "--bonmf-colour": colourIn(right.run, to) }} />
              <bdi>{name(right, to)}</bdi>
            </span>
            <button
              type="button"
              class="bonmf-link"
              onClick={() => select(samples, `${name(left, from)} → ${name(right, to)}`)}
            >
              {plural(samples.length, "sample")}
            </button>
          </li>
        ))}
      </ul>
      {moved.length > MOST_MOVES && <p class="hint">and {count(moved.length - MOST_MOVES)} smaller groups</p>}
    </section>
  );
}
