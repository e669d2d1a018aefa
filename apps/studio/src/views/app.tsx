import { useEffect } from "preact/hooks";
import { leave, openTab } from "../state/actions.js";
import { TABS, type Tab } from "../state/address.js";
import { describeError } from "../state/busy.js";
import { redo, undo } from "../state/edit.js";
import { redoable, undoable } from "../state/history.js";
import type { Project } from "../state/project.js";
import { run, store } from "../state/store.js";
import { THEMES, theme } from "../state/theme.js";
import { Agreement } from "./agreement.js";
import { Classify } from "./classify.js";
import { Compare } from "./compare.js";
import { listDropped } from "./drop.js";
import { Dropped, takeItems } from "./dropped.js";
import { Export } from "./export.js";
import { Fit } from "./fit.js";
import { count } from "./format.js";
import { keepFocus } from "./keep-focus.js";
import { loadViews } from "./lazy.js";
import { Panel } from "./panel.js";
import { Preview } from "./preview.js";
import { Samples } from "./samples.js";
import { prepareScatter } from "./scatter.js";
import { SelectionBar } from "./selection-bar.js";
import { Start } from "./start.js";

const TITLES: Readonly<Record<Tab, string>> = {
  data: "Data",
  fit: "Clusters",
  samples: "Samples",
  agreement: "Agreement",
  classify: "Classify",
  compare: "Compare",
  export: "Export",
};

const PANES: Readonly<Record<Tab, () => preact.JSX.Element>> = {
  data: Preview,
  fit: Fit,
  samples: Samples,
  agreement: Agreement,
  classify: Classify,
  compare: Compare,
  export: Export,
};

export function App() {
  useEffect(takeDrops, []);
  useEffect(takeKeys, []);
  useEffect(() => keepFocus(document.body), []);
  const ready = store.summary.value !== null;
  useEffect(() => {
    if (ready) {
      void loadViews().catch((error: unknown) => {
        store.problem.value = describeError(error);
      });
    }
  }, [ready]);
  return (
    <>
      <Header />
      <Notices />
      <Dropped />
      {store.preview.value ? <Workspace /> : <Start />}
    </>
  );
}

function Header() {
  const { project } = store;
  return (
    <header class="top">
      <button type="button" class="skip" onClick={() => document.querySelector("main")?.focus()}>
        Skip to the main part
      </button>
      <h1 class="brand">
        <span class="mark" aria-hidden="true" /> bonmf <span>studio</span>
      </h1>
      {project.value && (
        <div class="source">
          <strong>{project.value.name}</strong>
          <Steps history={project.value.history} />
          <button type="button" class="quiet" onClick={() => void leave()}>
            Open another
          </button>
        </div>
      )}
      <p class="private">Everything stays in this page</p>
      <select
        class="theme"
        aria-label="Theme"
        value={theme.value}
        onChange={({ currentTarget }) => {
          theme.value = THEMES.find((name) => name === currentTarget.value) ?? "system";
        }}
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {name === "system" ? "as the system" : name}
          </option>
        ))}
      </select>
    </header>
  );
}

/** Undo and redo; their titles say what. A button that is disabled would lose the focus. */
function Steps({ history }: { readonly history: Project["history"] }) {
  const { busy, live } = store;
  const waiting = busy.value !== null || live.value !== null;
  const [before, after] = [undoable(history), redoable(history)];
  return (
    <span class="steps">
      <button
        type="button"
        class="quiet"
        aria-disabled={waiting || before === null}
        title={before === null ? "" : `Undo ${before} (Ctrl+Z)`}
        onClick={() => !waiting && void undo()}
      >
        Undo
      </button>
      <button
        type="button"
        class="quiet"
        aria-disabled={waiting || after === null}
        title={after === null ? "" : `Redo ${after} (Ctrl+Shift+Z)`}
        onClick={() => !waiting && void redo()}
      >
        Redo
      </button>
    </span>
  );
}

/** Fields have an undo of their own for what is being typed. */
function takeKeys(): () => void {
  const press = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey, target } = event;
    const typing = target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea");
    if (!(ctrlKey || metaKey) || typing) return;
    const letter = key.toLowerCase();
    if (letter !== "z" && letter !== "y") return;
    event.preventDefault();
    void (letter === "y" || shiftKey ? redo() : undo());
  };
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}

function Notices() {
  const { busy, problem, notice, reading } = store;
  return (
    <>
      <div role="status" class={busy.value ? "busy on" : "busy"}>
        {busy.value}
        {busy.value && reading.value && (
          <span aria-hidden="true">
            {" "}
            {count(reading.value.read)} of {count(reading.value.total)}
            <progress value={reading.value.read} max={reading.value.total} />
          </span>
        )}
      </div>
      <div role="status" class={notice.value ? "notice on" : "notice"}>
        {notice.value && (
          <>
            <p>{notice.value}</p>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                notice.value = null;
              }}
            >
              Close
            </button>
          </>
        )}
      </div>
      {problem.value && (
        <div role="alert" class="problem">
          <p>{problem.value}</p>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              problem.value = null;
            }}
          >
            Close
          </button>
        </div>
      )}
    </>
  );
}

function Workspace() {
  const { tab } = store;
  useEffect(prepareScatter, []);
  const Pane = PANES[tab.value];
  return (
    <div class="work">
      <Panel />
      <main tabIndex={-1}>
        <nav class="tabs" aria-label="Views">
          {TABS.map((name) => (
            <button
              key={name}
              type="button"
              aria-current={tab.value === name ? "page" : undefined}
              disabled={isEmpty(name)}
              onClick={() => openTab(name)}
            >
              {TITLES[name]}
            </button>
          ))}
        </nav>
        <SelectionBar />
        <div class="pane">
          <Pane />
        </div>
      </main>
    </div>
  );
}

/** Most views need a run to show. */
function isEmpty(tab: Tab): boolean {
  if (tab === "data") return false;
  if (tab === "fit") return store.summary.value === null;
  if (tab === "compare") return store.summary.value === null;
  if (run.value === null) return true;
  return tab === "agreement" && !store.summary.value?.classes;
}

/** A file may be dropped anywhere. */
function takeDrops(): () => void {
  const over = (event: DragEvent) => event.preventDefault();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    if (!event.dataTransfer) return;
    void listDropped(event.dataTransfer).then((items) => {
      if (items.length > 0) void takeItems(items);
    });
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
  };
}
