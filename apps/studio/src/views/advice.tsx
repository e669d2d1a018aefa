import type { KChoice, KTrial } from "bonmf";
import { useCallback, useState } from "preact/hooks";
import { searchK, setOrder, willFindTopics } from "../state/actions.js";
import { session } from "../state/session.js";
import { type Searching, store } from "../state/store.js";
import { AutoField } from "./auto-field.js";
import { plural } from "./format.js";
import { views } from "./lazy.js";
import { PlotCard } from "./plot-card.js";

/** How many clusters there are, and why: the answer of `bonmf choose`; of texts that of `bonmf topics`. */
export function Advice() {
  const { searching, advice } = store;
  const { value: now } = searching;
  const { value: found } = advice;
  const trials = now?.trials ?? found?.trials ?? [];
  const noun = willFindTopics(store.order.value) ? "topic" : "cluster";
  return (
    <section aria-labelledby="advice-title">
      <div class="title">
        <h2 id="advice-title">How many {noun}s?</h2>
      </div>
      <Range />
      {!now && !found && (
        <p class="empty">
          Every number of {noun}s is fitted with the settings at the side. What counts is whether {noun}s are set off by
          gaps; where none are, the answer is that there are no {noun}s.
        </p>
      )}
      {now && <Progress searching={now} noun={noun} />}
      {found && <Found found={found} noun={noun} />}
      {trials.length > 1 && <Curves trials={trials} k={found?.k ?? null} noun={noun} />}
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
        <AutoField id="from" value={from} set={setFrom} />
      </div>
      <div class="field narrow">
        <label for="to">to</label>
        <AutoField id="to" value={to} set={setTo} />
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

/** What is counted. */
interface Counted {
  readonly noun: string;
}

function Progress({ searching: { progress }, noun }: Counted & { readonly searching: Searching }) {
  const gaps = progress === null || progress.done === 0;
  return (
    <p class="progress" role="status">
      <progress
        aria-label="Search"
        max={gaps ? 1 : progress.total}
        value={gaps ? (progress?.measured ?? 0) : progress.done}
      />
      {gaps
        ? `Looking for gaps between ${noun}s…`
        : `${progress.done - 1} of ${plural(progress.total - 1, "number")} of ${noun}s tried`}
    </p>
  );
}

function Found({ found, noun }: Counted & { readonly found: KChoice }) {
  const { k, structure, runnerUp, reason, complete } = found;
  const title = structure === null ? "Not known yet" : structure ? plural(k ?? 0, noun) : `No ${noun}s`;
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

interface CurvesProps extends Counted {
  readonly trials: readonly KTrial[];
  readonly k: number | null;
}

function Curves({ trials, k, noun }: CurvesProps) {
  const { value: lib } = views;
  const draw = useCallback(
    () => lib?.showTrials(trials, k, {}, lib.nounsOf({ topics: noun === "topic" })) ?? document.createElement("div"),
    [lib, trials, k, noun],
  );
  return <PlotCard title={`Measures by number of ${noun}s`} make={draw} />;
}
