import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { LEFT_OUT } from "../session/snippet.js";
import { during } from "../state/busy.js";
import { packOpen } from "../state/project-file.js";
import { session } from "../state/session.js";
import { run, shown, store } from "../state/store.js";
import { count, plural } from "./format.js";
import { saveFile } from "./save.js";
import { fileStem, saveAssignments, saveSelection } from "./save-results.js";

/** Exports. */
export function Export() {
  const [safe, setSafe] = useState(false);
  const [included, setIncluded] = useState(true);
  const { value: now } = run;
  const { value: findings } = shown;
  if (!now || !findings) return <p class="hint waiting">Looking at what was found…</p>;
  const { id } = now.info;
  const named = now.names.some((name) => name !== "");
  const stem = fileStem();
  const { value: selection } = store.selection;
  const { leaveOut } = store.choice.value ?? {};
  return (
    <>
      <div class="exports">
        <Card
          title="Model"
          note="One safetensors file, the same as the command writes: bonmf predict, Python and R read it."
          action="Save the model"
          run={async () =>
            saveFile(
              `${stem}.safetensors`,
              [
                await session.save(
                  id,
                  now.groups.map((group) => now.names[group]),
                ),
              ],
              "application/octet-stream",
            )
          }
        />
        <Card
          title="Assignments"
          note={`The cluster of each sample as CSV${named ? ", with your names" : ""}.`}
          action="Save the assignments"
          run={() => saveAssignments(safe)}
        >
          <label title="Texts that would run as formulas (= + - @) get an apostrophe before them; numbers stay.">
            <input type="checkbox" checked={safe} onChange={(event) => setSafe(event.currentTarget.checked)} /> Safe for
            spreadsheets
          </label>
        </Card>
        {selection && (
          <Card
            title="Selection"
            note={`The rows of the ${plural(selection.samples.length, "selected sample")}, with their clusters, as CSV.`}
            action="Save the selected rows"
            run={() => saveSelection(safe)}
          />
        )}
        <Card
          title="Report"
          note="One page with everything found here. It opens from disk, and needs no network."
          action="Save the report"
          run={async () => {
            const { renderPage } = await import("bonmf-report");
            saveFile(`${stem}-report.html`, [await renderPage(findings)], "text/html");
          }}
        />
        <Card
          title="Project"
          note="One .bonmf file with the runs, names, merges and this view. The studio opens it; bonmf report and other commands read it."
          action="Save the project"
          run={async () => saveFile(`${stem}.bonmf`, [await packOpen(included)], "application/zip")}
        >
          {!store.example.value && (
            <label title="Without the data the file only names it, and asks for it when it is opened.">
              <input
                type="checkbox"
                checked={included}
                onChange={(event) => setIncluded(event.currentTarget.checked)}
              />{" "}
              With the data
            </label>
          )}
        </Card>
        {leaveOut && (
          <Card
            title="Words left out"
            note="Those that you named, one a line, for the command below."
            action="Save the words"
            run={async () => saveFile(LEFT_OUT, [`${leaveOut.join("\n")}\n`], "text/plain")}
          />
        )}
        {store.example.value && (
          <Card
            title="Data"
            note="The example as CSV, to try the lines below with."
            action="Save the data"
            run={async () => saveFile(`${stem}.csv`, [await session.table()], "text/csv")}
          />
        )}
      </div>
      <section aria-labelledby="repeat-title">
        <div class="title">
          <h2 id="repeat-title">Repeat it</h2>
        </div>
        <p class="hint">
          The same samples, options and seed give the same clusters, to the last bit
          {findings.run.k < findings.run.fitted &&
            `: the ${count(findings.run.fitted)} before merging. The saved model has the merges`}
          .
        </p>
        {findings.repeat.command && <Snippet title="In a terminal" code={findings.repeat.command} />}
        <Snippet title="In TypeScript or JavaScript" code={findings.repeat.code} />
      </section>
    </>
  );
}

interface CardProps {
  readonly title: string;
  readonly note: string;
  readonly action: string;
  readonly run: () => Promise<void>;
  readonly children?: ComponentChildren;
}

function Card({ title, note, action, run, children }: CardProps) {
  return (
    <article class="card">
      <h2>{title}</h2>
      <p>{note}</p>
      {children}
      <button type="button" class="button primary" onClick={() => void during(`${title}…`, run)}>
        {action}
      </button>
    </article>
  );
}

function Snippet({ title, code }: { readonly title: string; readonly code: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div class="snippet">
      <div class="title">
        <h3>{title}</h3>
        <button
          type="button"
          class="quiet"
          onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(true))}
        >
          {copied ? "Copied" : "Copy"}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={title}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
    </div>
  );
}
