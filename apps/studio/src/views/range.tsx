import { useCallback, useState } from "preact/hooks";
import type { Trial } from "../session/protocol.js";
import { setOrder, tryRange } from "../state/actions.js";
import { session } from "../state/session.js";
import { store } from "../state/store.js";
import { Mount } from "./mount.js";
import { usePlot } from "./plot.js";

const MOST = 60;

/** Fits for a range of k, and how well each holds together. */
export function Range() {
  const { trials, trying, summary, live } = store;
  const [from, setFrom] = useState(trials.value[0]?.k ?? 2);
  const [to, setTo] = useState(trials.value.at(-1)?.k ?? Math.min(12, summary.value?.samples ?? 12));
  const ks = Array.from({ length: Math.max(0, Math.min(MOST, to - from + 1)) }, (_, i) => from + i);
  const best = trials.value.reduce<Trial | null>(
    (best, trial) => (best === null || trial.silhouette > best.silhouette ? trial : best),
    null,
  );
  return (
    <section aria-labelledby="range-title">
      <div class="title">
        <h2 id="range-title">How many clusters?</h2>
      </div>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void tryRange(ks);
        }}
      >
        <div class="field narrow">
          <label for="from">From</label>
          <input id="from" inputMode="numeric" value={from} onChange={(event) => setFrom(read(event, 1))} />
        </div>
        <div class="field narrow">
          <label for="to">to</label>
          <input id="to" inputMode="numeric" value={to} onChange={(event) => setTo(read(event, from))} />
        </div>
        {trying.value ? (
          <button type="button" class="button" onClick={() => void session.stop()}>
            Stop
          </button>
        ) : (
          <button type="submit" class="button" disabled={live.value !== null || ks.length === 0}>
            Try them
          </button>
        )}
      </form>
      {trials.value.length === 0 ? (
        <p class="empty">
          Each k is fitted once with the settings at the side. The silhouette says how well clusters hold together.
        </p>
      ) : (
        <>
          <Curves trials={trials.value} />
          {best && !trying.value && (
            <p>
              Clusters hold together best with <b>{best.k}</b> of them (silhouette {best.silhouette.toFixed(3)}).{" "}
              <button type="button" class="bonmf-link" onClick={() => void setOrder({ k: best.k })}>
                Use {best.k}
              </button>
            </p>
          )}
        </>
      )}
    </section>
  );
}

function read(event: { readonly currentTarget: HTMLInputElement }, least: number): number {
  const value = Math.round(Number(event.currentTarget.value));
  return Number.isFinite(value) ? Math.max(least, value) : least;
}

const CURVES = { silhouette: "silhouette", relativeError: "relative error", nmi: "NMI with the labels" } as const;

function Curves({ trials }: { readonly trials: readonly Trial[] }) {
  const names = Object.keys(CURVES) as (keyof typeof CURVES)[];
  return (
    <div class="plots">
      {names
        .filter((name) => trials[0][name] !== null)
        .map((name) => (
          <figure class="card" key={name}>
            <Curve trials={trials} of={name} />
          </figure>
        ))}
    </div>
  );
}

function Curve({ trials, of: y }: { readonly trials: readonly Trial[]; readonly of: keyof typeof CURVES }) {
  const plot = usePlot();
  const draw = useCallback(
    (width: number) => {
      if (!plot) return document.createElement("div");
      const marks = { x: "k", y, stroke: "var(--bonmf-accent)" };
      const chart = plot.plot({
        width,
        height: 190,
        marginLeft: 48,
        className: "bonmf-plot",
        x: { label: "clusters", ticks: Math.min(10, trials.length), tickFormat: "d" },
        y: { label: CURVES[y], grid: true, ticks: 4, nice: true },
        marks: [
          plot.lineY(trials, { ...marks, strokeWidth: 2 }),
          plot.dot(trials, { ...marks, fill: "var(--bonmf-paper)", r: 3.5, tip: true }),
        ],
      });
      chart.setAttribute("role", "img");
      chart.setAttribute("aria-label", `${CURVES[y]} for ${trials[0].k} to ${trials[trials.length - 1].k} clusters`);
      return chart;
    },
    [plot, trials, y],
  );
  return <Mount make={draw} />;
}
