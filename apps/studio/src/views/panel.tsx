import type { MethodName } from "bonmf";
import type { Order } from "../session/protocol.js";
import {
  cancelFit,
  openTab,
  pauseFit,
  resumeFit,
  selectRun,
  setOrder,
  startFit,
  willFindTopics,
} from "../state/actions.js";
import { removeRun } from "../state/edit.js";
import { ABOUT_METHOD, ABOUT_SCALE, INITS, METHODS, SCALES } from "../state/option-names.js";
import { store } from "../state/store.js";
import { AutoField } from "./auto-field.js";
import { describeClusters, duration, percent } from "./format.js";

/** What to do, at the side. */
export function Panel() {
  const { summary } = store;
  return (
    <aside class="panel" aria-label="Settings">
      {summary.value ? <Settings /> : <p class="hint">Choose which columns to use first.</p>}
      <Runs />
    </aside>
  );
}

function Settings() {
  const { order, summary, live } = store;
  const { k, method, scale } = order.value;
  const { samples = 1 } = summary.value ?? {};
  const locked = live.value !== null;
  return (
    <form
      class="settings"
      onSubmit={(event) => {
        event.preventDefault();
        if (store.live.value === null && store.busy.value === null && store.searching.value === null) void startFit();
      }}
    >
      <fieldset disabled={locked}>
        <div class="field">
          <label for="k">Clusters</label>
          <div class="stepper">
            <button type="button" aria-label="One fewer" onClick={() => void setOrder({ k: Math.max(1, k - 1) })}>
              −
            </button>
            <NumberField id="k" value={k} least={1} most={samples} set={(value) => void setOrder({ k: value })} />
            <button type="button" aria-label="One more" onClick={() => void setOrder({ k: Math.min(samples, k + 1) })}>
              +
            </button>
          </div>
          <button type="button" class="bonmf-link" onClick={() => openTab("compare")}>
            How many?
          </button>
        </div>
        <div class="field">
          <label for="method">Method</label>
          <select
            id="method"
            value={method}
            onChange={({ currentTarget }) => void setOrder({ method: currentTarget.value as MethodName })}
          >
            {METHODS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <p class="hint">{ABOUT_METHOD[method]}</p>
        </div>
        {store.summary.value?.vectorWeight === null && (
          <div class="field">
            <label for="scale">Scaling</label>
            <select
              id="scale"
              value={scale}
              onChange={({ currentTarget }) => void setOrder({ scale: currentTarget.value as Order["scale"] })}
            >
              <option>auto</option>
              {SCALES.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <p class="hint">{scale === "auto" ? <Chosen /> : ABOUT_SCALE[scale]}</p>
          </div>
        )}
        <More />
      </fieldset>
      <Buttons />
    </form>
  );
}

/** What auto has chosen, and why. */
function Chosen() {
  const chosen = store.plane.value ?? store.sketch.value;
  if (!chosen) return null;
  return (
    <>
      <b>{chosen.scale}</b>: {chosen.reason}. {ABOUT_SCALE[chosen.scale]}.
    </>
  );
}

function More() {
  const { seed, restarts, pace } = store.order.value;
  return (
    <details>
      <summary>More</summary>
      <div class="pair">
        <div class="field">
          <label for="seed">Seed</label>
          <NumberField id="seed" value={seed} least={0} set={(value) => void setOrder({ seed: value })} />
        </div>
        <div class="field">
          <label for="restarts">Restarts</label>
          <AutoField id="restarts" value={restarts} set={(value) => void setOrder({ restarts: value })} />
        </div>
      </div>
      {store.summary.value?.vectorWeight === null && <Start />}
      <label class="check">
        <input type="checkbox" checked={pace > 0} onChange={() => void setOrder({ pace: pace > 0 ? 0 : 90 })} />
        Slow enough to watch
      </label>
    </details>
  );
}

/** Topics on vectors begin and end in their own way. */
function Start() {
  const { init, maxIterations } = store.order.value;
  return (
    <div class="pair">
      <div class="field">
        <label for="init">Beginning</label>
        <select
          id="init"
          value={init ?? ""}
          onChange={({ currentTarget }) =>
            void setOrder({ init: INITS.find((name) => name === currentTarget.value) ?? null })
          }
        >
          <option value="">auto</option>
          {INITS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="iterations">Iterations</label>
        <AutoField id="iterations" value={maxIterations} set={(value) => void setOrder({ maxIterations: value })} />
      </div>
    </div>
  );
}

interface NumberProps {
  readonly id: string;
  readonly value: number;
  readonly least: number;
  readonly most?: number;
  readonly set: (value: number) => void;
}

function NumberField({ id, value, least, most = Number.MAX_SAFE_INTEGER, set }: NumberProps) {
  return (
    <input
      id={id}
      inputMode="numeric"
      value={value}
      onChange={({ currentTarget }) => {
        const typed = Math.round(Number(currentTarget.value));
        const next = Number.isFinite(typed) ? Math.max(least, Math.min(most, typed)) : value;
        currentTarget.value = String(next);
        set(next);
      }}
    />
  );
}

/** One button fits, pauses and continues, so that it keeps the focus. A fit of topics can only be cancelled. */
function Buttons() {
  const { live, busy, searching } = store;
  const { value: now } = live;
  const paused = now?.state === "paused";
  const waiting = now === null && (busy.value !== null || searching.value !== null);
  if (now && willFindTopics(now.order)) {
    return (
      <>
        <div class="row">
          <button type="button" class="button primary wide" onClick={() => void cancelFit()}>
            Cancel
          </button>
        </div>
        <p class="hint">A fit of topics cannot be paused: it would begin again.</p>
      </>
    );
  }
  return (
    <div class="row">
      <button
        type="button"
        class={now ? "button primary" : "button primary wide"}
        aria-disabled={waiting}
        onClick={() => !waiting && void (now === null ? startFit() : paused ? resumeFit() : pauseFit())}
      >
        {now === null ? "Fit" : paused ? "Continue" : "Pause"}
      </button>
      {now && (
        <button type="button" class="button" onClick={() => void cancelFit()}>
          Cancel
        </button>
      )}
    </div>
  );
}

function Runs() {
  const { runs, current } = store;
  if (runs.value.length === 0) return null;
  return (
    <div class="runs">
      <h2>Runs</h2>
      <ul>
        {[...runs.value].reverse().map(({ info, groups }) => (
          <li key={info.id} class={info.id === current.value ? "on" : ""}>
            <button
              type="button"
              aria-pressed={info.id === current.value}
              disabled={store.live.value !== null}
              onClick={() => void selectRun(info.id)}
            >
              <strong>
                {info.id}: {info.order.method}, {describeClusters(groups)}
              </strong>
              <span>
                {info.accuracy === null
                  ? info.explained === null
                    ? `error ${percent(info.relativeError)}`
                    : `${percent(info.explained)} explained`
                  : `${percent(info.accuracy)} as labelled`}
                {" · "}
                {duration(info)}
              </span>
            </button>
            <button
              type="button"
              class="quiet"
              aria-label={`Remove run ${info.id}`}
              onClick={() => void removeRun(info.id)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
