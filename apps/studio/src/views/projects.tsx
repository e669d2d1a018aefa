import { useEffect, useState } from "preact/hooks";
import { present } from "../state/history.js";
import { openStored } from "../state/open-project.js";
import type { Project } from "../state/project.js";
import { storage } from "../state/storage.js";
import { plural } from "./format.js";

/** The projects in this browser, the last changed first. */
export function Projects() {
  const [projects, setProjects] = useState<readonly Project[]>([]);
  const load = () =>
    void storage.list().then(
      (found) => setProjects(found.sort((a, b) => b.changed - a.changed)),
      () => setProjects([]),
    );
  useEffect(load, []);
  if (projects.length === 0) return null;
  return (
    <section class="projects" aria-labelledby="projects-title">
      <h3 id="projects-title">Your projects</h3>
      <ul>
        {projects.map((project) => (
          <li key={project.id}>
            <Row project={project} changed={load} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly project: Project;
  readonly changed: () => void;
}

function Row({ project, changed }: RowProps) {
  const [mode, setMode] = useState<"shown" | "renaming" | "deleting">("shown");
  const { id, name } = project;
  if (mode === "renaming") {
    const rename = async (typed: string) => {
      await storage.put({ ...project, name: typed.trim() || name });
      setMode("shown");
      changed();
    };
    return (
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void rename(String(new FormData(event.currentTarget).get("name")));
        }}
        onKeyDown={({ key }) => key === "Escape" && setMode("shown")}
      >
        <input name="name" aria-label={`New name of ${name}`} defaultValue={name} ref={(field) => field?.focus()} />
        <button type="submit" class="button">
          Rename
        </button>
      </form>
    );
  }
  const remove = async () => {
    await storage.remove(id);
    changed();
  };
  return (
    <div class="row">
      <button type="button" class="project" onClick={() => void openStored(id)}>
        <strong>{name}</strong>
        <span>
          {plural(present(project.history).runs.length, "run")} · {new Date(project.changed).toLocaleString()}
        </span>
      </button>
      {mode === "deleting" ? (
        <>
          <span>Delete it, with its runs, for good?</span>
          <button type="button" class="button" onClick={() => void remove()}>
            Delete
          </button>
          <button type="button" class="quiet" onClick={() => setMode("shown")}>
            Keep
          </button>
        </>
      ) : (
        <>
          <button type="button" class="quiet" aria-label={`Rename ${name}`} onClick={() => setMode("renaming")}>
            Rename
          </button>
          <button type="button" class="quiet" aria-label={`Delete ${name}`} onClick={() => setMode("deleting")}>
            Delete
          </button>
        </>
      )}
    </div>
  );
}
