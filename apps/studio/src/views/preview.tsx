import type { Choice } from "../data/choice.js";
import type { ColumnInfo } from "../session/protocol.js";
import { choose } from "../state/actions.js";
import { store } from "../state/store.js";
import { count, plural, short } from "./format.js";
import { Picture } from "./picture.js";

type Role = "feature" | "one-hot" | "label" | "id" | "text" | "out";

const ROLES: Readonly<Record<Role, string>> = {
  feature: "feature",
  "one-hot": "one feature per value",
  label: "label",
  id: "name",
  text: "text",
  out: "left out",
};
/** A table wider than this is shown in part. */
const SHOWN = 60;

/** What is in the file, and what to use of it. */
export function Preview() {
  const { preview, choice, summary } = store;
  if (!preview.value || !choice.value) return <p class="hint">Nothing is open.</p>;
  const { form, rows, columns } = preview.value;
  const features = summary.value ? plural(summary.value.features, "feature") : "no features yet";
  return (
    <>
      <header class="lead">
        <h2>{preview.value.name}</h2>
        <p>
          {plural(rows, form === "table" ? "row" : "sample")}
          {form === "table" && `, ${plural(columns.length, "column")}`} · {features}
          {summary.value?.sparse && ", most of them zero"}
          {summary.value?.classes && ` · ${plural(summary.value.classes.length, "class", "classes")}`}
        </p>
        {summary.value?.notes.map((note) => (
          <p key={note} class="hint">
            {note}
          </p>
        ))}
      </header>
      <Choices />
      {summary.value?.form === "picture" ? <Pictures /> : <Table />}
    </>
  );
}

function Choices() {
  const { preview, choice, summary } = store;
  const { columns = [], form, hasLabels } = preview.value ?? {};
  const { label = null, missing = null, image = null } = choice.value ?? {};
  const holes = columns.reduce((sum, column) => sum + column.missing, 0);
  const features = summary.value?.features ?? 0;
  return (
    <div class="choices">
      {form === "table" && (
        <div class="field">
          <label for="label">Label, to compare with</label>
          <select
            id="label"
            value={label ?? ""}
            onChange={({ currentTarget }) => void setRole(currentTarget.value || null, "label")}
          >
            <option value="">none</option>
            {columns.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      )}
      {hasLabels && (
        <label class="check">
          <input
            type="checkbox"
            checked={label !== null}
            onChange={() => void choose({ label: label === null ? "label" : null })}
          />
          Compare with the labels of the file
        </label>
      )}
      {holes > 0 && (
        <div class="field">
          <label for="missing">{plural(holes, "missing value")}</label>
          <select
            id="missing"
            value={missing ?? ""}
            onChange={({ currentTarget }) =>
              void choose({ missing: (currentTarget.value || null) as Choice["missing"] })
            }
          >
            <option value="mean">set to the mean</option>
            <option value="zero">set to 0</option>
            <option value="drop">leave the sample out</option>
          </select>
        </div>
      )}
      {features >= 4 && choice.value?.text === null && (
        <div class="field">
          <label for="width">Picture width, if pixels</label>
          <input
            id="width"
            inputMode="numeric"
            placeholder="no pictures"
            value={image?.width ?? ""}
            onChange={({ currentTarget }) => {
              const width = Number(currentTarget.value);
              const fits = width > 0 && features % width === 0;
              void choose({ image: fits ? { width, height: features / width } : null });
            }}
          />
        </div>
      )}
    </div>
  );
}

function Table() {
  const { preview } = store;
  const { columns = [], head = [], form } = preview.value ?? {};
  const shown = columns.slice(0, SHOWN);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="sheet" tabIndex={0} aria-label="The first rows">
      <table>
        <thead>
          <tr>
            {shown.map((column) => (
              <th key={column.name} scope="col">
                <span class="name" title={column.name}>
                  {column.name}
                </span>
                <span class="type">{describe(column)}</span>
                {form === "table" && <RoleSelect column={column} />}
              </th>
            ))}
            {columns.length > SHOWN && <th scope="col">and {count(columns.length - SHOWN)} more</th>}
          </tr>
        </thead>
        <tbody>
          {head.map((row, i) => (
            <tr key={i}>
              {shown.map(({ name, type }, c) => (
                <td key={name} class={`${type} ${roleOf(name, type)}`}>
                  {row[c]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function describe({ type, least, most, different, missing }: ColumnInfo): string {
  const range = least === null || most === null ? "number" : `${short(least)} … ${short(most)}`;
  const what = type === "text" ? plural(different ?? 0, "text") : range;
  return missing > 0 ? `${what}, ${count(missing)} missing` : what;
}

function RoleSelect({ column: { name, type } }: { readonly column: ColumnInfo }) {
  const roles: Role[] =
    type === "number" ? ["feature", "one-hot", "label", "id", "out"] : ["out", "one-hot", "label", "id", "text"];
  return (
    <select
      aria-label={`Use of ${name}`}
      value={roleOf(name, type)}
      onChange={({ currentTarget }) => void setRole(name, currentTarget.value as Role)}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {ROLES[role]}
        </option>
      ))}
    </select>
  );
}

function roleOf(name: string, type: "number" | "text"): Role {
  const choice = store.choice.value;
  if (!choice) return "out";
  if (choice.label === name) return "label";
  if (choice.id === name) return "id";
  if (choice.text === name) return "text";
  if (choice.oneHot.includes(name)) return "one-hot";
  return type === "text" || choice.exclude.includes(name) || choice.text !== null ? "out" : "feature";
}

/** Gives a column a use, and takes its old one away. */
async function setRole(name: string | null, role: Role): Promise<void> {
  const { choice, preview } = store;
  if (!choice.value) return;
  const { label, id, text, exclude, oneHot } = choice.value;
  const free = (held: string | null) => (held === name ? null : held);
  const next = {
    label: role === "label" ? name : free(label),
    id: role === "id" ? name : free(id),
    text: role === "text" ? name : free(text),
    oneHot: oneHot.filter((one) => one !== name).concat(role === "one-hot" && name !== null ? [name] : []),
  };
  const used = new Set([next.label, next.id, next.text, ...next.oneHot]);
  const out = new Set(role === "out" && name !== null ? [...exclude, name] : exclude.filter((one) => one !== name));
  for (const column of preview.value?.columns ?? []) if (column.type === "text") out.add(column.name);
  await choose({ ...next, exclude: [...out].filter((one) => !used.has(one)) });
}

function Pictures() {
  const { preview, choice } = store;
  const { columns = [], head = [] } = preview.value ?? {};
  const size = choice.value?.image;
  if (!size) return null;
  const places = columns.flatMap(({ name, type }, c) => (roleOf(name, type) === "feature" ? [c] : []));
  const whole = places.length === size.width * size.height;
  if (!whole) return <Table />;
  return (
    <ul class="pictures">
      {head.map((row, i) => {
        const values = places.map((c) => Number(row[c]));
        const most = Math.max(1e-9, ...values);
        const greys = Uint8Array.from(values, (value) => (255 * Math.max(0, value)) / most);
        return (
          <li key={i}>
            <Picture greys={greys} size={size} label={`Sample ${i + 1}`} />
          </li>
        );
      })}
    </ul>
  );
}
