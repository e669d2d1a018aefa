import { useState } from "preact/hooks";
import { during } from "../state/actions.js";
import { session } from "../state/session.js";
import { nameGroup, run, shown, store } from "../state/store.js";

/** Exports. */
export function Export() {
  const { value: now } = run;
  const { value: findings } = shown;
  if (!now || !findings) return <p class="hint waiting">Looking at what was found…</p>;
  const { id } = now.info;
  const groups = now.groups.some((group, cluster) => group !== cluster) ? now.groups : null;
  const named = groups !== null || now.names.some((name) => name !== "");
  const names = named ? now.names.map((_, group) => nameGroup(now.names, group)) : null;
  const stem = (findings.source ?? "bonmf").replace(/(\.\w+)+$/, "");
  return (
    <>
      <div class="exports">
        <Card
          title="Model"
          note="One safetensors file, the same as the command writes: bonmf predict, Python and R read it."
          action="Save the model"
          run={async () =>
            save(
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
          run={async () => save(`${stem}-clusters.csv`, [await session.assignments(id, names, groups)], "text/csv")}
        />
        <Card
          title="Report"
          note="One page with everything found here. It opens from disk, and needs no network."
          action="Save the report"
          run={async () => {
            const { renderPage } = await import("bonmf-report");
            save(`${stem}-report.html`, [await renderPage(findings)], "text/html");
          }}
        />
        {store.example.value && (
          <Card
            title="Data"
            note="The example as CSV, to try the lines below with."
            action="Save the data"
            run={async () => save(`${stem}.csv`, [await session.table()], "text/csv")}
          />
        )}
      </div>
      <section aria-labelledby="repeat-title">
        <div class="title">
          <h2 id="repeat-title">Repeat it</h2>
        </div>
        <p class="hint">The same samples, options and seed give the same clusters, to the last bit.</p>
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
}

function Card({ title, note, action, run }: CardProps) {
  return (
    <article class="card">
      <h2>{title}</h2>
      <p>{note}</p>
      <button type="button" class="button primary" onClick={() => void during(`${title}…`, run)}>
        {action}
      </button>
    </article>
  );
}

function save(name: string, parts: BlobPart[], type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
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
