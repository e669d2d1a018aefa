import { EXAMPLES } from "../data/example.js";
import { openSource } from "../state/actions.js";
import { store } from "../state/store.js";
import { toItems } from "./drop.js";

/** The first thing people see. */
export function Start() {
  if (store.busy.value) return <main class="start" />;
  return (
    <main class="start">
      <div class="welcome">
        <h2>See what your data is made of</h2>
        <p>
          Open samples, choose how many clusters, and watch each of them become one readable prototype. It all runs in
          this page, and nothing is sent anywhere.
        </p>
      </div>
      <div class="drop">
        <p class="big">Drop a file or a folder here</p>
        <div class="row">
          <Picker title="Choose a file" multiple />
          <Picker title="Choose a folder" folder />
        </div>
        <p class="hint">
          CSV, TSV, Excel, JSON lines, Parquet, LIBSVM, ARFF, NPY, Matrix Market, pictures, text; gzip and zip too
        </p>
      </div>
      <div class="examples">
        <h3>Or begin with an example</h3>
        <ul>
          {EXAMPLES.map(({ name, title, note, unit }) => (
            <li key={name}>
              <button type="button" class={`example ${name}`} onClick={() => void openSource({ example: name })}>
                <span class="unit">{unit}</span>
                <strong>{title}</strong>
                <span>{note}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
}

interface PickerProps {
  readonly title: string;
  readonly multiple?: boolean;
  readonly folder?: boolean;
}

function Picker({ title, multiple = false, folder = false }: PickerProps) {
  return (
    <label class={folder ? "button" : "button primary"}>
      {title}
      <input
        type="file"
        multiple={multiple}
        {...(folder && { webkitdirectory: true })}
        onChange={({ currentTarget }) => {
          const items = toItems(currentTarget.files ?? []);
          currentTarget.value = "";
          if (items.length > 0) void openSource({ items });
        }}
      />
    </label>
  );
}
