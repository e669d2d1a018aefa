import { assignRole, type Choice, type Role } from "../data/choice.js";
import type { ColumnInfo } from "../session/protocol.js";
import { choose, openPart } from "../state/edit.js";
import { store } from "../state/store.js";
import { count, plural, short } from "./format.js";
import { Picture } from "./picture.js";
import { VectorsField } from "./vectors-field.js";
import { WordsField } from "./words-field.js";

const ROLES: Readonly<Record<Role, string>> = {
  feature: "feature",
  "one-hot": "category",
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
      </header>
      <PartChoice />
      <Plan />
      <Choices />
      {summary.value?.form === "picture" ? <Pictures /> : <Table />}
    </>
  );
}

/** Which sheet of an Excel file, or which table of an archive, is open. */
function PartChoice() {
  const { parts } = store.preview.value ?? {};
  if (!parts) return null;
  return (
    <div class="choices">
      <div class="field">
        <label for="part">{parts.what === "sheet" ? "Sheet" : "Table of the archive"}</label>
        <select id="part" value={parts.open} onChange={({ currentTarget: { value } }) => void openPart(value)}>
          {parts.names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
    </div>
  );
}

/** What was decided without being asked. */
function Plan() {
  const { preview, choice, summary } = store;
  const notes = (summary.value?.notes ?? []).map(dropFlags);
  const changed = JSON.stringify(choice.value) !== JSON.stringify(preview.value?.choice);
  const { broken = [] } = preview.value ?? {};
  if (notes.length === 0 && !changed) return null;
  const prose = findProse();
  return (
    <div class="plan">
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {broken.length > 0 && (
        <details>
          <summary>{plural(broken.length, "file")} that could not be read</summary>
          <ul class="broken">
            {broken.map((name) => (
              <li key={name}>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      {prose !== null && (
        <button type="button" class="quiet" onClick={() => void setRole(prose, "text")}>
          Find topics in the texts of “<bdi>{prose}</bdi>”
        </button>
      )}
      {changed && (
        <button type="button" class="quiet" onClick={() => void choose(preview.value?.choice ?? {})}>
          Read it as at first
        </button>
      )}
    </div>
  );
}

/** Notes name the command's flags; here are menus instead. */
function dropFlags(note: string): string {
  return note.replace(/ \(--[a-z-]+[^)]*\)/g, "").replace(/; --[a-z-]+[^;]*$/, "");
}

function Choices() {
  const { preview, choice, summary } = store;
  const { columns = [], form, hasLabels, missing: holes = 0 } = preview.value ?? {};
  const { value: now } = choice;
  if (!now) return null;
  const label = nameOf("label");
  const features = summary.value?.features ?? 0;
  return (
    <div class="choices">
      {form === "table" && (
        <div class="field">
          <label for="label">Label, to compare with</label>
          <select
            id="label"
            value={label ?? ""}
            onChange={({ currentTarget: { value } }) =>
              void (value === "" ? choose({ ...now, label: null }) : setRole(value, "label"))
            }
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
            checked={now.label !== null}
            onChange={() => void choose({ ...now, label: now.label === null ? undefined : null })}
          />
          Compare with the labels of the file
        </label>
      )}
      {holes > 0 && (
        <div class="field">
          <label for="missing">{plural(holes, "missing value")}</label>
          <select
            id="missing"
            value={now.missing ?? ""}
            onChange={({ currentTarget: { value } }) =>
              void choose({ ...now, missing: (value || undefined) as Choice["missing"] })
            }
          >
            <option value="">set to the median</option>
            <option value="mean">set to the mean</option>
            <option value="zero">set to 0</option>
            <option value="drop">leave the sample out</option>
          </select>
        </div>
      )}
      <WordsField />
      <VectorsField />
      {features >= 4 && summary.value?.form !== "text" && (
        <div class="field">
          <label for="width">Picture width, if pixels</label>
          <input
            id="width"
            inputMode="numeric"
            placeholder="no pictures"
            value={summary.value?.image?.width ?? ""}
            onChange={({ currentTarget }) => {
              const width = Number(currentTarget.value);
              const fits = width > 0 && features % width === 0;
              void choose({ ...now, image: fits ? { width, height: features / width } : null });
            }}
          />
        </div>
      )}
    </div>
  );
}

function Table() {
  const { preview, summary } = store;
  const { roles = [] } = summary.value ?? {};
  const { columns = [], head = [], form } = preview.value ?? {};
  const shown = columns.slice(0, SHOWN);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="sheet" tabIndex={0} aria-label="The first rows">
      <table>
        <thead>
          <tr>
            {shown.map((column, c) => (
              <th key={column.name} scope="col">
                <span class="name" title={column.name}>
                  {column.name}
                </span>
                <span class="type">{describe(column)}</span>
                {form === "table" && <RoleSelect column={column} role={roles[c] ?? "out"} />}
              </th>
            ))}
            {columns.length > SHOWN && <th scope="col">and {count(columns.length - SHOWN)} more</th>}
          </tr>
        </thead>
        <tbody>
          {head.map((row, i) => (
            <tr key={i}>
              {shown.map(({ name, type }, c) => (
                <td key={name} class={`${type} ${roles[c] ?? "feature"}`}>
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

const TYPES = { text: "text", date: "date", list: "list", boolean: "true or false", number: "number" } as const;

function describe({ type, least, most, different, missing }: ColumnInfo): string {
  const range = least === null || most === null ? "number" : `${short(least)} … ${short(most)}`;
  const what = type === "number" ? range : different === null ? TYPES[type] : plural(different, TYPES[type]);
  return missing > 0 ? `${what}, ${count(missing)} missing` : what;
}

function RoleSelect({ column: { name, type, numeric }, role }: { readonly column: ColumnInfo; readonly role: Role }) {
  // A choice that failed is taken back.
  void store.problem.value;
  const able = (wanted: Role) =>
    wanted === role || (wanted === "feature" ? numeric : wanted === "text" ? type === "text" : true);
  const roles = (Object.keys(ROLES) as Role[]).filter(able);
  return (
    <select
      aria-label={`Use of ${name}`}
      value={role}
      onChange={({ currentTarget }) => void setRole(name, currentTarget.value as Role)}
    >
      {roles.map((one) => (
        <option key={one} value={one}>
          {ROLES[one]}
        </option>
      ))}
    </select>
  );
}

/** The columns of a table with what becomes of them. */
function listColumns(): { readonly name: string; readonly role: Role }[] {
  const { roles = [] } = store.summary.value ?? {};
  return (store.preview.value?.columns ?? []).map(({ name }, c) => ({ name, role: roles[c] ?? "out" }));
}

/** Words of a sentence. */
const SENTENCE = 4;

/** A column of sentences that is left out, where no other is the text. */
function findProse(): string | null {
  const { head = [], columns = [] } = store.preview.value ?? {};
  const roles = listColumns();
  if (head.length === 0 || roles.some(({ role }) => role === "text")) return null;
  const isProse = (c: number) =>
    head.reduce((sum, row) => sum + (row[c] ?? "").split(/\s+/u).length, 0) >= SENTENCE * head.length;
  return roles.find(({ role }, c) => role === "out" && columns[c].type === "text" && isProse(c))?.name ?? null;
}

function nameOf(role: Role): string | null {
  return listColumns().find((column) => column.role === role)?.name ?? null;
}

async function setRole(name: string, role: Role): Promise<void> {
  const { value: choice } = store.choice;
  if (choice) await choose(assignRole(choice, listColumns(), name, role));
}

function Pictures() {
  const { image: size, pictures } = store.summary.value ?? {};
  if (!size || !pictures) return null;
  return (
    <ul class="pictures">
      {pictures.map((greys, i) => (
        <li key={i}>
          <Picture greys={greys} size={size} label={`Sample ${i + 1}`} />
        </li>
      ))}
    </ul>
  );
}
