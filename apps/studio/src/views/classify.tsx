import { useEffect, useState } from "preact/hooks";
import type { Answer, Input } from "../session/protocol.js";
import { session } from "../state/session.js";
import { run, shown, store } from "../state/store.js";
import { ClusterName, Prototype, Reasons } from "./detail.js";
import { DrawingPad } from "./drawing-pad.js";
import { percent, plural, readNumber } from "./format.js";
import { Tile } from "./samples.js";

/** A new sample: drawn, written or typed, and where it belongs. */
export function Classify() {
  const { summary } = store;
  const { value: now } = run;
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    setAnswer(null);
    setProblem(null);
  }, [now?.info.id]);
  if (!now || !summary.value) return <p class="hint">Fit first: then new samples can be classified here.</p>;
  const ask = (input: Input) =>
    void session.classify(now.info.id, input).then(
      (found) => {
        setAnswer(found);
        setProblem(null);
      },
      (error: Error) => setProblem(error.message),
    );
  const { form, image, means } = summary.value;
  return (
    <>
      <header class="lead">
        <h2>{form === "picture" ? "Draw one" : form === "text" ? "Write one" : "Describe one"}</h2>
        <p>The model says where a new sample belongs, and why. Nothing new is learnt from it.</p>
      </header>
      <div class="classify">
        <div class="card">
          {form === "picture" && image && (
            <DrawingPad size={image} most={inkMost()} onDraw={(values) => ask({ type: "values", values })} />
          )}
          {form === "text" && <Write onText={(text) => ask({ type: "text", text })} />}
          {form === "table" &&
            (means ? (
              <Values means={means} onValues={(values) => ask({ type: "values", values })} />
            ) : (
              <p class="hint">There are too many features to type. Use bonmf predict with a file instead.</p>
            ))}
        </div>
        <div class="card" aria-live="polite">
          {problem && <p class="hint">{problem}</p>}
          {!problem && answer && <AnswerView answer={answer} />}
          {!problem && !answer && <p class="empty">The answer comes here.</p>}
        </div>
      </div>
    </>
  );
}

/** The value of full ink; null for photographs, which cannot be drawn. */
function inkMost(): number {
  const columns = store.preview.value?.columns ?? [];
  const known = columns.map(({ most }) => most).filter((most) => most !== null);
  return known.length > 0 ? Math.max(...known) : 255;
}

function Write({ onText }: { readonly onText: (text: string) => void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onText(String(new FormData(event.currentTarget).get("text")));
      }}
    >
      <div class="field">
        <label for="text">A text</label>
        <textarea id="text" name="text" rows={8} placeholder="Paste or write something…" />
      </div>
      <button type="submit" class="button primary">
        Classify
      </button>
    </form>
  );
}

interface ValuesProps {
  readonly means: readonly number[];
  readonly onValues: (values: number[]) => void;
}

function Values({ means, onValues }: ValuesProps) {
  const names = store.summary.value?.featureNames;
  const [problems, setProblems] = useState<ReadonlyMap<number, string>>(new Map());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const { currentTarget } = event;
        const form = new FormData(currentTarget);
        const typed = means.map((_, f) => readNumber(String(form.get(`f${f}`))));
        const found = new Map(
          [...typed.entries()].filter((one): one is [number, string] => typeof one[1] === "string"),
        );
        setProblems(found);
        const [first] = found.keys();
        if (first === undefined) onValues(typed as number[]);
        else currentTarget.querySelector<HTMLInputElement>(`#f${first}`)?.focus();
      }}
    >
      <div class="values">
        {means.map((mean, f) => (
          <div class="field" key={names?.[f] ?? f}>
            <label for={`f${f}`}>{names?.[f] ?? `#${f + 1}`}</label>
            <input
              id={`f${f}`}
              name={`f${f}`}
              inputMode="decimal"
              defaultValue={String(Number(mean.toPrecision(3)))}
              aria-invalid={problems.has(f)}
              aria-describedby={problems.has(f) ? `p${f}` : undefined}
            />
            {problems.has(f) && (
              <p class="wrong" id={`p${f}`}>
                {problems.get(f)}
              </p>
            )}
          </div>
        ))}
      </div>
      <button type="submit" class="button primary">
        Classify
      </button>
    </form>
  );
}

function AnswerView({ answer }: { readonly answer: Answer }) {
  const { cluster, rival, cosine, margin, label, share, neighbor, reasons, closest } = answer;
  return (
    <div class="answer">
      <p class="big">
        {label !== null && <strong>{label}</strong>} <ClusterName cluster={cluster} />
      </p>
      <p class="hint">
        {label !== null && share !== null && `${percent(share)} of its neighbours say so. `}
        Cosine {cosine.toFixed(3)} to the prototype, {Math.abs(margin).toFixed(3)} {margin < 0 ? "behind" : "ahead of"}{" "}
        the next.
        {store.summary.value?.form === "text" && ` ${plural(answer.known, "word")} of it are known.`}
      </p>
      {shown.value?.pictures && (
        <div class="beside">
          <Prototype cluster={cluster} />
          {rival !== null && <Prototype cluster={rival} />}
        </div>
      )}
      <h3>Closest prototypes</h3>
      <ul class="bars">
        {closest.slice(0, 5).map(({ cluster, cosine }) => (
          <li key={cluster}>
            <ClusterName cluster={cluster} />
            <span class="bonmf-bar" aria-hidden="true" style={{ "--bonmf-filled": Math.max(0, cosine) }} />
            <small>{cosine.toFixed(3)}</small>
          </li>
        ))}
      </ul>
      {neighbor && (
        <>
          <h3>The training sample nearest to it</h3>
          <div class={neighbor.pixels ? "tiles one" : "lines"}>
            <Tile row={neighbor} />
          </div>
        </>
      )}
      {rival !== null && reasons.length > 0 && <Reasons reasons={reasons} cluster={cluster} rival={rival} />}
    </div>
  );
}
