import { addVectors, choose } from "../state/edit.js";
import { store } from "../state/store.js";
import { toItems } from "./drop.js";

/** Vectors of a language model, by which texts are compared beside their words. */
export function VectorsField() {
  const { preview, choice, summary, example } = store;
  // A choice that failed is taken back.
  void store.problem.value;
  const { vectors: known = [] } = preview.value ?? {};
  const { value: now } = choice;
  if (!now || summary.value?.form !== "text" || (known.length === 0 && example.value)) return null;
  return (
    <>
      <div class="field">
        <label for="vectors">Vectors of a language model</label>
        <select
          id="vectors"
          value={now.vectors ?? ""}
          onChange={({ currentTarget: { value } }) => void choose({ ...now, vectors: value || undefined })}
        >
          <option value="">none: words alone</option>
          {known.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        {!example.value && <VectorFile />}
      </div>
      {now.vectors !== undefined && <Weight />}
    </>
  );
}

function VectorFile() {
  return (
    <label class="button small">
      From a file…
      <input
        type="file"
        accept=".npy,.npz,.csv,.tsv,.parquet,.jsonl,.ndjson,.xlsx"
        onChange={({ currentTarget }) => {
          const [item] = toItems(currentTarget.files ?? []);
          currentTarget.value = "";
          if (item) void addVectors(item);
        }}
      />
    </label>
  );
}

/** How much vectors count; a tenth is the least, since none at all is "words alone". */
function Weight() {
  const { choice, summary } = store;
  const weight = summary.value?.vectorWeight ?? 0.5;
  const share = Math.round(100 * weight);
  const told = share === 100 ? "vectors alone" : `vectors ${share} %, words ${100 - share} %`;
  return (
    <div class="field">
      <label for="vector-weight">How much they count</label>
      <input
        id="vector-weight"
        type="range"
        min={0.1}
        max={1}
        step={0.1}
        value={weight}
        aria-valuetext={told}
        onChange={({ currentTarget }) => void choose({ ...choice.value, vectorWeight: Number(currentTarget.value) })}
      />
      <output class="hint" for="vector-weight">
        {told}
      </output>
    </div>
  );
}
