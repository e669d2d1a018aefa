import type { KChoice, KTrial } from "bonmf";
import { useCallback, useState } from "preact/hooks";
import { searchK, setOrder } from "../state/actions.js";
import { session } from "../state/session.js";
import { type Searching, store } from "../state/store.js";
import { plural } from "./format.js";
import { views } from "./lazy.js";
import { Mount } from "./mount.js";
import { usePlot } from "./plot.js";

/** How many clusters there are, and why; the same answer as `bonmf choose`. */
export function Advice() {
  const { searching, advice } = store;
  const { value: now } = searching;
  const { value: found } = advice;
  const trials = now?.trials ?? found?.trials ?? [];
  return (
    <section aria-labelledby="advice-title">
      <div class="title">
        <h2 id="advice-title">How many clusters?</h2>
      </div>
      <Range />
      {!now && !found && (
        <p class="empty">
          Every number of clusters is fitted with the settings at the side. What counts is whether clusters are set off
          by gaps; where none are, the answer is that there are no clusters.
        </p>
      )}
      {now && <Progress searching={now} />}
      {found && <Found found={found} />}
      {trials.length > 1 && <Curves trials={trials} k={found?.k ?? null} />}
    </section>
  );
}

function Range() {
  const { searching, advice, live, busy, summary } = store;
  const [from, setFrom] = useState<number | null>(null);
  const [to, setTo] = useState<number | null>(null);
  const { samples = 1 } = summary.value ?? {};
  const paused = advice.value !== null && !advice.value.complete;
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void searchK(listNumbers(from, to, samples));
      }}
    >
      <div class="field narrow">
        <label for="from">From</label>
        <NumberOrAuto id="from" value={from} set={setFrom} />
      </div>
      <div class="field narrow">
        <label for="to">to</label>
        <NumberOrAuto id="to" value={to} set={setTo} />
      </div>
      {searching.value ? (
        <button type="button" class="button" onClick={() => void session.stop()}>
          Stop
        </button>
      ) : (
        <button type="submit" class="button" disabled={live.value !== null || busy.value !== null}>
          {paused ? "Continue" : "Find out"}
        </button>
      )}
    </form>
  );
}

/** Null: nobody has said how far to go. */
function listNumbers(from: number | null, to: number | null, samples: number): number[] | null {
  if (to === null && from === null) return null;
  const first = Math.min(from ?? 2, samples);
  const last = Math.min(Math.max(first, to ?? Math.max(20, first + 10)), samples);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

interface NumberProps {
  readonly id: string;
  readonly value: number | null;
  readonly set: (value: number | null) => void;
}

function NumberOrAuto({ id, value, set }: NumberProps) {
  return (
    <input
      id={id}
      inputMode="numeric"
      placeholder="auto"
      value={value ?? ""}
      onChange={({ currentTarget }) => {
        const typed = Math.round(Number(currentTarget.value));
        set(typed > 0 ? typed : null);
      }}
    />
  );
}

function Progress({ searching: { progress } }: { readonly searching: Searching }) {
  return (
    <p class="progress" role="status">
      <progress aria-label="Search" max={progress?.total ?? 1} value={progress?.done ?? 0} />
      {progress === null
        ? "Looking for gaps between clusters…"
        : `${progress.done - 1} of ${plural(progress.total - 1, "number")} of clusters tried`}
    </p>
  );
}

function Found({ found: { k, structure, runnerUp, reason, complete } }: { readonly found: KChoice }) {
  const title = structure === null ? "Not known yet" : structure ? plural(k ?? 0, "cluster") : "No clusters";
  return (
    <div class="advice card" aria-live="polite">
      <h3>{title}</h3>
      <p>{reason}</p>
      {!complete && <p class="hint">The search was stopped; it can go on.</p>}
      <div class="row">
        {structure && k !== null && <Use k={k} primary title={`Use ${k}`} />}
        {runnerUp !== null && (
          <Use k={runnerUp} title={structure ? `Use ${runnerUp}, the runner-up` : `Use ${runnerUp} all the same`} />
        )}
      </div>
    </div>
  );
}

interface UseProps {
  readonly k: number;
  readonly title: string;
  readonly primary?: boolean;
}

function Use({ k, title, primary = false }: UseProps) {
  return (
    <button type="button" class={primary ? "button primary" : "button"} onClick={() => void setOrder({ k })}>
      {title}
    </button>
  );
}

interface Series {
  readonly title: string;
  readonly of: keyof KTrial;
  /** What data without clusters gives. */
  readonly reference?: keyof KTrial;
}

const SERIES: readonly Series[] = [
  { title: "separation (dashed: one group)", of: "separation", reference: "reference" },
  { title: "contrast to one group", of: "contrast" },
  { title: "stability", of: "stability" },
  { title: "silhouette", of: "silhouette" },
  { title: "relative error", of: "relativeError" },
];

function Curves({ trials, k }: { readonly trials: readonly KTrial[]; readonly k: number | null }) {
  return (
    <div class="plots">
      {SERIES.filter(({ of }) => trials.some((trial) => trial[of] !== null)).map((series) => (
        <figure class="card" key={series.of}>
          <Curve trials={trials} series={series} k={k} />
        </figure>
      ))}
    </div>
  );
}

interface CurveProps {
  readonly trials: readonly KTrial[];
  readonly series: Series;
  readonly k: number | null;
}

function Curve({ trials, series: { title, of: y, reference }, k }: CurveProps) {
  const plot = usePlot();
  const { value: lib } = views;
  const draw = useCallback(
    (width: number) => {
      if (!plot || !lib) return document.createElement("div");
      const marks = { x: "k", y, stroke: "var(--bonmf-accent)" };
      const chosen = (trial: KTrial) => trial.k === k;
      const chart = plot.plot({
        width,
        height: 190,
        marginLeft: 48,
        className: "bonmf-plot",
        x: { label: "clusters", ticks: Math.min(10, trials.length), tickFormat: "d" },
        y: { label: title, grid: true, ticks: 4, nice: true },
        marks: [
          reference &&
            plot.lineY(trials, { x: "k", y: reference, stroke: "var(--bonmf-soft)", strokeDasharray: "4 3" }),
          plot.lineY(trials, { ...marks, strokeWidth: 2 }),
          plot.dot(trials, {
            ...marks,
            fill: (trial: KTrial) => (chosen(trial) ? "var(--bonmf-accent)" : "var(--bonmf-paper)"),
            r: (trial: KTrial) => (chosen(trial) ? 6 : 3.5),
            tip: true,
          }),
        ],
      });
      return lib.describe(chart, `${title} for ${trials[0].k} to ${trials[trials.length - 1].k} clusters`);
    },
    [plot, lib, trials, y, k],
  );
  return <Mount make={draw} />;
}
