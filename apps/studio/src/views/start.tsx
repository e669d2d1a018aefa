import { EXAMPLES } from "../data/example-samples.js";
import { openNew } from "../state/open-project.js";
import { wanting } from "../state/project-file.js";
import { store } from "../state/store.js";
import { toItems } from "./drop.js";
import { takeItems } from "./dropped.js";
import { ExamplePreview } from "./example-preview.js";
import { Projects } from "./projects.js";

/** The first thing people see. */
export function Start() {
  if (store.busy.value) return <main class="start" />;
  return (
    <main class="start" tabIndex={-1}>
      <div class="welcome">
        <h2>See what your data is made of</h2>
        <p>
          Open samples, choose how many clusters, and watch each of them become one readable prototype. It all runs in
          this page, and nothing is sent anywhere.
        </p>
      </div>
      <div class="drop">
        {wanting.value ? (
          <p class="big">
            {wanting.value.item.name} refers to {wanting.value.missing.slice(0, 3).join(", ")}
            {wanting.value.missing.length > 3 && ` and ${wanting.value.missing.length - 3} more`}: drop that here
          </p>
        ) : (
          <p class="big">Drop a file or a folder here</p>
        )}
        <div class="row">
          <Picker title="Choose a file" multiple />
          <Picker title="Choose a folder" folder />
        </div>
        <p class="hint">
          A project (.bonmf), CSV, TSV, Excel, JSON lines, Parquet, LIBSVM, ARFF, NPY, NPZ, Matrix Market, pictures,
          text; gzip and zip too
        </p>
      </div>
      <Projects />
      <div class="examples">
        <h3>Or begin with an example</h3>
        <ul>
          {EXAMPLES.map(({ name, title, note, unit }) => (
            <li key={name}>
              <button type="button" class={`example ${name}`} onClick={() => void openNew({ example: name })}>
                <ExamplePreview name={name} />
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
          if (items.length > 0) void takeItems(items);
        }}
      />
    </label>
  );
}
