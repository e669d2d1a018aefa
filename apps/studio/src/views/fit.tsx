import type { Findings } from "bonmf-report";
import { useCallback, useMemo } from "preact/hooks";
import { mergeSets } from "../state/edit.js";
import { type Live, run, shown, store } from "../state/store.js";
import { ClusterList } from "./cluster-list.js";
import { Clusters } from "./clusters.js";
import { count, percent, plural } from "./format.js";
import { views } from "./lazy.js";
import { LivePrototypes } from "./live-prototypes.js";
import { ClusterMap } from "./map.js";
import { Mount } from "./mount.js";
import { PlotCard } from "./plot-card.js";
import { Scatter } from "./scatter.js";
import { TopicViews } from "./topics.js";

/** The fit while it runs, and what it found. */
export function Fit() {
  const { live } = store;
  if (live.value) return <Watching live={live.value} />;
  if (run.value) return <Found />;
  return <Before />;
}

function Before() {
  const { plane, sketch, summary } = store;
  const { samples = 0 } = summary.value ?? {};
  const there = plane.value ?? sketch.value;
  const among = plane.value ? null : (sketch.value?.of ?? null);
  return (
    <>
      <header class="lead">
        <h2>Ready to fit</h2>
        <p>
          These are your {plural(samples, "sample")}: similar ones lie near each other. Press <b>Fit</b> and they take
          the colours of their clusters.
        </p>
      </header>
      {there && (
        <div class="card stage">
          <Scatter x={there.x} y={there.y} among={among} of={null} colours={UNKNOWN} label="Samples, not yet clustered">
            {among && (
              <p class="drawn">
                {count(among.length)} of {plural(samples, "sample")} so far
              </p>
            )}
          </Scatter>
        </div>
      )}
    </>
  );
}

const UNKNOWN = ["var(--bonmf-soft)"];

function colourAll(k: number): string[] {
  return Array.from({ length: k }, (_, j) => views.value?.colourOf(j, k) ?? UNKNOWN[0]);
}

function Watching({ live }: { readonly live: Live }) {
  const { plane } = store;
  const last = live.moments.at(-1);
  const ids = plane.value?.watched ?? null;
  const paused = live.state === "paused";
  return (
    <>
      <header class="lead live">
        <h2>
          {paused ? "Paused" : "Fitting"}
          {last && ` · iteration ${count(last.iteration)}`}
          {live.restart > 0 && ` of run ${live.restart + 1}`}
        </h2>
        <p>
          {last
            ? `${plural(last.changed, "sample")} changed; the relative error is ${percent(last.relativeError)}.`
            : "Looking for a place to begin…"}
        </p>
      </header>
      <div class="watch">
        <div class="card stage">
          {plane.value && (
            <Scatter
              x={ids ? pick(plane.value.x, ids) : plane.value.x}
              y={ids ? pick(plane.value.y, ids) : plane.value.y}
              of={live.labels}
              colours={live.labels ? colourAll(live.order.k) : UNKNOWN}
              label="Samples, coloured by cluster as the fit goes on"
            />
          )}
        </div>
        <div class="card">{live.moments.length > 0 && <Curve live={live} />}</div>
      </div>
      {live.snapshot && <LivePrototypes snapshot={live.snapshot} />}
    </>
  );
}

/** Memoised per list: the plot compares arrays by identity. */
const picked = new WeakMap<Float32Array, Float32Array>();

function pick(values: Float32Array, ids: Uint32Array): Float32Array {
  const known = picked.get(values) ?? Float32Array.from(ids, (i) => values[i]);
  picked.set(values, known);
  return known;
}

function Curve({ live }: { readonly live: Live }) {
  const draw = useCallback(() => {
    const moments = { run: { history: live.moments } } as unknown as Findings;
    return views.value?.showConvergence(moments) ?? document.createElement("div");
  }, [live.moments, views.value]);
  return <Mount make={draw} />;
}

function Found() {
  const { value: findings } = shown;
  const { value: lib } = views;
  const headline = useCallback(
    () => (lib && findings ? lib.showHeadline(findings) : document.createElement("p")),
    [lib, findings],
  );
  const summary = useCallback(() => {
    const box = document.createElement("div");
    if (lib && findings) box.append(lib.showStats(findings), lib.showSummary(findings));
    return box;
  }, [lib, findings]);
  return (
    <>
      {findings ? <Mount make={headline} /> : <p class="hint waiting">Looking at what was found…</p>}
      <div class="explore">
        <ClusterMap />
        {findings ? <ClusterList findings={findings} /> : <section class="cluster-list card" aria-label="Clusters" />}
      </div>
      {findings && (
        <>
          <Mount make={summary} class="summary" />
          {findings.topics && <TopicViews findings={findings} />}
          <Clusters findings={findings} />
          <Plots findings={findings} />
        </>
      )}
    </>
  );
}

/** What the findings say in plots. */
function Plots({ findings }: { readonly findings: Findings }) {
  const { value: lib } = views;
  const draw = (show: keyof typeof PLOTS) => (): HTMLElement => {
    if (!lib) return document.createElement("div");
    const onMerge = (sets: readonly (readonly number[])[]) =>
      void mergeSets(sets.map((set) => set.map((place) => findings.clusters[place].number)));
    return lib[show](findings, { onMerge });
  };
  const names = Object.keys(PLOTS) as (keyof typeof PLOTS)[];
  const makers = useMemo(() => names.map((name) => [name, draw(name)] as const), [lib, findings]);
  return (
    <div class="plots">
      {makers.map(([name, make]) => (
        <PlotCard key={name} title={PLOTS[name]} make={make} />
      ))}
    </div>
  );
}

const PLOTS = {
  showHierarchy: "Tree of the clusters",
  showSilhouettes: "Silhouettes by cluster",
  showSizes: "Cluster sizes",
  showConvergence: "Convergence",
} as const;
