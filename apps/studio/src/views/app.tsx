import { useEffect } from "preact/hooks";
import { leave, openSource, openTab } from "../state/actions.js";
import { TABS, type Tab } from "../state/address.js";
import { run, store } from "../state/store.js";
import { Agreement } from "./agreement.js";
import { Classify } from "./classify.js";
import { Compare } from "./compare.js";
import { listDropped } from "./drop.js";
import { Export } from "./export.js";
import { Fit } from "./fit.js";
import { openGraphics } from "./graphics.js";
import { loadViews } from "./lazy.js";
import { Panel } from "./panel.js";
import { Preview } from "./preview.js";
import { Samples } from "./samples.js";
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
  const ready = store.summary.value !== null;
  useEffect(() => {
    if (ready) void loadViews().then(openGraphics);
  }, [ready]);
  return (
    <>
      <Header />
      <Notices />
      {store.preview.value ? <Workspace /> : <Start />}
    </>
  );
}

function Header() {
  const { preview } = store;
  return (
    <header class="top">
      <h1 class="brand">
        <span class="mark" aria-hidden="true" /> bonmf <span>studio</span>
      </h1>
      {preview.value && (
        <p class="source">
          <strong>{preview.value.name}</strong>
          <button type="button" class="quiet" onClick={() => void leave()}>
            Open another
          </button>
        </p>
      )}
      <p class="private">Everything stays in this page</p>
    </header>
  );
}

function Notices() {
  const { busy, problem } = store;
  return (
    <>
      <div role="status" class={busy.value ? "busy on" : "busy"}>
        {busy.value}
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
  const Pane = PANES[tab.value];
  return (
    <div class="work">
      <Panel />
      <main>
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
      if (items.length > 0) void openSource({ items });
    });
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
  };
}
