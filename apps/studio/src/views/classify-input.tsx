import { useEffect, useRef, useState } from "preact/hooks";
import type { Size } from "../data/source.js";
import type { Input, Refusal } from "../session/protocol.js";
import { store } from "../state/store.js";
import { DrawingPad } from "./drawing-pad.js";
import { readNumber } from "./format.js";

type Ask = (input: Input) => Promise<void>;

interface Props {
  readonly ask: Ask;
  /** What is wrong with the last sample. */
  readonly refusal: Refusal | null;
}

interface FilesProps {
  readonly askFiles: (files: Iterable<File>) => Promise<void>;
}

export function PictureInput({ size, ask, askFiles, refusal }: Props & FilesProps & { readonly size: Size }) {
  return (
    <>
      <DrawingPad size={size} most={inkMost()} onDraw={(values) => void ask({ type: "values", values })} />
      <p class="wrong" role="alert">
        {refusal?.refused}
      </p>
      <label class="button">
        Choose a picture
        <input
          type="file"
          accept="image/*"
          onChange={({ currentTarget }) => {
            void askFiles([...(currentTarget.files ?? [])]);
            currentTarget.value = "";
          }}
        />
      </label>
    </>
  );
}

/** The value of full ink. */
function inkMost(): number {
  const columns = store.preview.value?.columns ?? [];
  const known = columns.map(({ most }) => most).filter((most) => most !== null);
  return known.length > 0 ? Math.max(...known) : 255;
}

/** Many samples at once. */
export function FileInput({ askFiles }: FilesProps) {
  return (
    <label class="button file">
      Classify a file
      <input
        type="file"
        multiple
        onChange={({ currentTarget }) => {
          void askFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </label>
  );
}

interface TypedProps extends Props {
  /** What was pasted into the page. */
  readonly typed: string;
}

export function TextInput({ typed, ask, refusal }: TypedProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (typed !== "" && field.current) field.current.value = typed;
  }, [typed]);
  useEffect(() => {
    if (refusal) field.current?.focus();
  }, [refusal]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void ask({ type: "text", text: String(new FormData(event.currentTarget).get("text")) });
      }}
    >
      <div class="field">
        <label for="text">A text</label>
        <textarea
          ref={field}
          id="text"
          name="text"
          rows={8}
          dir="auto"
          placeholder="Paste or write something…"
          aria-invalid={refusal !== null}
          aria-describedby={refusal ? "text-wrong" : undefined}
        />
        {refusal && (
          <p class="wrong" id="text-wrong" role="alert">
            {refusal.refused}
          </p>
        )}
      </div>
      <button type="submit" class="button primary">
        Classify
      </button>
    </form>
  );
}

interface RowProps extends TypedProps {
  /** Null: there are too many features to type one by one. */
  readonly means: readonly number[] | null;
  readonly askRow: (text: string) => Promise<void>;
}

export function RowInput({ means, typed, ask, askRow, refusal }: RowProps) {
  return (
    <>
      {means && <Values means={means} ask={ask} refusal={refusal} />}
      <PastedRow
        typed={typed}
        askRow={askRow}
        refusal={refusal?.feature === null ? refusal : null}
        alone={means === null}
      />
    </>
  );
}

type PastedProps = Pick<RowProps, "typed" | "askRow" | "refusal"> & { readonly alone: boolean };

function PastedRow({ typed, askRow, refusal, alone }: PastedProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (typed !== "" && field.current) field.current.value = typed;
  }, [typed]);
  return (
    <form
      class="pasted"
      onSubmit={(event) => {
        event.preventDefault();
        void askRow(String(new FormData(event.currentTarget).get("row")));
      }}
    >
      <div class="field">
        <label for="row">
          {alone ? "A row, or several with their header" : "Or a row, or several with their header"}
        </label>
        <textarea
          ref={field}
          id="row"
          name="row"
          rows={2}
          placeholder="9.1, 0.4, 2 …"
          aria-invalid={refusal !== null}
          aria-describedby={refusal ? "row-wrong" : undefined}
        />
        {refusal && (
          <p class="wrong" id="row-wrong" role="alert">
            {refusal.refused}
          </p>
        )}
      </div>
      <button type="submit" class="button">
        Classify the row
      </button>
    </form>
  );
}

function Values({ means, ask, refusal }: Props & { readonly means: readonly number[] }) {
  const names = store.summary.value?.featureNames;
  const [problems, setProblems] = useState<ReadonlyMap<number, string>>(new Map());
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!refusal || refusal.feature === null) return;
    setProblems(new Map([[refusal.feature, refusal.refused]]));
    form.current?.querySelector<HTMLInputElement>(`#f${refusal.feature}`)?.focus();
  }, [refusal]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        const { currentTarget } = event;
        const given = new FormData(currentTarget);
        const typed = means.map((_, f) => readNumber(String(given.get(`f${f}`))));
        const found = new Map(
          [...typed.entries()].filter((one): one is [number, string] => typeof one[1] === "string"),
        );
        setProblems(found);
        const [first] = found.keys();
        if (first === undefined) void ask({ type: "values", values: typed as number[] });
        else currentTarget.querySelector<HTMLInputElement>(`#f${first}`)?.focus();
      }}
    >
      <div class="values">
        {means.map((mean, f) => (
          <div class="field" key={names?.[f] ?? f}>
            <label for={`f${f}`} title={names?.[f]}>
              <bdi>{names?.[f] ?? `#${f + 1}`}</bdi>
            </label>
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
