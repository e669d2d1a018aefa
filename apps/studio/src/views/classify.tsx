import { useEffect, useState } from "preact/hooks";
import type { Answer, Classified, Input, Refusal } from "../session/protocol.js";
import { during } from "../state/busy.js";
import { session } from "../state/session.js";
import { run, store } from "../state/store.js";
import { AnswerView, FileAnswer } from "./classify-answer.js";
import { FileInput, PictureInput, RowInput, TextInput } from "./classify-input.js";
import { toItems } from "./drop.js";
import { readRow } from "./format.js";

/** What became of the last sample or file. */
type Outcome =
  | { readonly answer: Answer }
  | { readonly refusal: Refusal }
  | { readonly file: Classified; readonly name: string };

const TITLES = { picture: "Draw one", text: "Write one", table: "Describe one" } as const;

/** A new sample: drawn, written, typed, pasted or from a file, and where it belongs. */
export function Classify() {
  const { summary } = store;
  const { value: now } = run;
  const [last, setLast] = useState<{ readonly id: number | undefined; readonly outcome: Outcome } | null>(null);
  const [typed, setTyped] = useState("");
  const id = now?.info.id;
  // What another run said is forgotten.
  const outcome = last?.id === id ? (last?.outcome ?? null) : null;
  const setOutcome = (next: Outcome) => setLast({ id, outcome: next });
  const form = summary.value?.form ?? "table";

  const ask = async (input: Input): Promise<void> => {
    if (id === undefined) return;
    await during("Classifying…", async () => {
      const found = await session.classify(id, input);
      setOutcome("refused" in found ? { refusal: found } : { answer: found });
    });
  };
  const askFiles = async (files: Iterable<File>): Promise<void> => {
    const items = toItems([...files]);
    if (id === undefined || items.length === 0) return;
    const [first] = items;
    if (form === "picture" && items.length === 1 && first.blob.type.startsWith("image/")) {
      await ask({ type: "picture", blob: first.blob });
      return;
    }
    await during(`Classifying ${first.name}…`, async () => {
      const file = await session.classifyFile(id, items);
      setOutcome({ file, name: first.name });
    });
  };
  const askRow = async (text: string): Promise<void> => {
    const names = summary.value?.featureNames ?? null;
    const lines = text.trim().split(/\r?\n/);
    if (lines.length > 1) {
      await askFiles([new File([text], "pasted.csv")]);
      return;
    }
    const row = readRow(lines[0], summary.value?.features ?? 0, names);
    if (typeof row === "string") setOutcome({ refusal: { refused: row, feature: null } });
    else await ask({ type: "values", values: row });
  };

  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { clipboardData, target } = event;
      const files = clipboardData?.files ?? [];
      if (files.length > 0) {
        event.preventDefault();
        void askFiles(files);
        return;
      }
      const typing = target instanceof HTMLElement && target.matches("input, textarea, select");
      const text = clipboardData?.getData("text/plain") ?? "";
      if (typing || text.trim() === "" || form === "picture") return;
      event.preventDefault();
      setTyped(text);
      void (form === "text" ? ask({ type: "text", text }) : askRow(text));
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, [form, id]);

  if (!now || !summary.value) return <p class="hint">Fit first: then new samples can be classified here.</p>;
  const refusal = outcome && "refusal" in outcome ? outcome.refusal : null;
  const { image, means } = summary.value;
  return (
    <>
      <header class="lead">
        <h2>{TITLES[form]}</h2>
        <p>
          The model says where a new sample belongs, and why. Nothing new is learnt from it. You can also paste one
          here.
        </p>
      </header>
      <div class="classify">
        <div class="card">
          {form === "picture" && image && <PictureInput size={image} ask={ask} askFiles={askFiles} refusal={refusal} />}
          {form === "text" && <TextInput typed={typed} ask={ask} refusal={refusal} />}
          {form === "table" && <RowInput typed={typed} means={means} ask={ask} askRow={askRow} refusal={refusal} />}
          <FileInput askFiles={askFiles} />
        </div>
        <div class="card" aria-live="polite">
          {outcome && "answer" in outcome && <AnswerView answer={outcome.answer} />}
          {outcome && "file" in outcome && <FileAnswer file={outcome.file} name={outcome.name} />}
          {(!outcome || refusal) && <p class="empty">The answer comes here.</p>}
        </div>
      </div>
    </>
  );
}
