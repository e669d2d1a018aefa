import { choose } from "../state/edit.js";
import { store } from "../state/store.js";

const LONGEST = [1, 2, 3, 4, 5];

/** Which words of texts are counted. */
export function WordsField() {
  const { choice, summary } = store;
  // A choice that failed is taken back.
  void store.problem.value;
  const { value: now } = choice;
  if (!now || summary.value?.form !== "text") return null;
  return (
    <>
      <div class="field">
        <label for="leave-out">Words to leave out</label>
        <input
          id="leave-out"
          placeholder="beside stop words"
          title="Separated by spaces. Stop words of the language are left out anyway."
          value={now.leaveOut?.join(" ") ?? ""}
          onChange={({ currentTarget: { value } }) => void choose({ ...now, leaveOut: splitList(value) })}
        />
      </div>
      <div class="field">
        <label for="longest">Phrases</label>
        <select
          id="longest"
          value={now.longest ?? 1}
          onChange={({ currentTarget: { value } }) => void choose({ ...now, longest: Number(value) || undefined })}
        >
          {LONGEST.map((length) => (
            <option key={length} value={length}>
              {length === 1 ? "none: single words" : `of up to ${length} words`}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}

/** As `--stop-words` reads its file. */
function splitList(text: string): string[] | undefined {
  const words = text
    .toLowerCase()
    .split(/[\s,;]+/u)
    .filter((word) => word !== "");
  return words.length > 0 ? words : undefined;
}
