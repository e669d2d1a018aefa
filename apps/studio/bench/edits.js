// How soon a merge, its undoing, its redoing and a name are seen among many clusters, and what they take of the page's main thread:
// processor time of all tasks and of the longest one. The page acts and looks by itself: clicks from here would add their own tasks.
//
//   node apps/studio/bench/edits.js [10000x32 60000x32]
//
// PLAYWRIGHT_CORE, CHROMIUM_PATH: as for apps/studio/browser/check.js.
import { writeBlobs } from "../browser/blobs.js";
import { launch, serve } from "../browser/stage.js";
import { measureTasks } from "../browser/tasks.js";
import { visit } from "../browser/visit.js";

const CLUSTERS = 200;
const REPEATS = 5;

const shapes = process.argv.length > 2 ? process.argv.slice(2) : ["10000x32"];
const studio = await serve();
const browser = await launch();
try {
  console.log(`${CLUSTERS} clusters, medians of ${REPEATS}, ms`);
  console.log("samples      change   seen after   main thread   longest task");
  for (const shape of shapes) await measure(shape);
} finally {
  await browser.close();
  await studio.end();
}

async function measure(shape) {
  const [n, m] = shape.split("x").map(Number);
  const me = await visit(browser, studio.url.replace(/#.*/, ""), []);
  await me.open(writeBlobs(`${shape}.npy`, n, m, CLUSTERS));
  await me.tab("Clusters");
  await me.set({ k: CLUSTERS });
  await me.button("Fit").click();
  await me.found();
  await me.page.locator(".overlay .labels > *").first().waitFor({ timeout: 300_000 });
  const found = new Map();
  for (let r = 0; r < REPEATS; r++) {
    for (const change of ["merge", "undo", "redo", "rename"]) {
      let seen = 0;
      const tasks = await measureTasks(me, async () => {
        seen = await me.page.evaluate(act, [change, 10 * r]);
      });
      found.set(change, [...(found.get(change) ?? []), [seen, tasks.total, tasks.longest]]);
    }
  }
  for (const [change, times] of found) {
    const median = (place) => Math.round(times.map((one) => one[place]).sort((a, b) => a - b)[REPEATS >> 1]);
    const columns = [median(0), median(1), median(2)].map((time) => String(time).padStart(12));
    console.log(shape.padEnd(12), change.padEnd(8), ...columns);
  }
  await me.page.context().close();
}

/** Makes a change in the page; milliseconds until it is seen. Ends once the page has rested for a while. */
async function act([change, first]) {
  const row = (cluster) => document.querySelector(`[data-cluster="${cluster}"]`);
  const press = (target, key, more = {}) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const before = document.querySelector(".cluster-list ul").textContent;
  if (change === "merge") {
    row(first).focus();
    press(row(first), "m");
    await frame();
    await frame();
  }
  if (change === "rename") {
    row(first + 2).focus();
    press(row(first + 2), "F2");
    while (!document.querySelector(".row-rename input")) await frame();
    document.querySelector(".row-rename input").value = `name ${first}`;
  }
  const begin = performance.now();
  if (change === "merge") row(first + 1).click();
  else if (change === "rename") document.querySelector(".row-rename").requestSubmit();
  else press(document.body, "z", { ctrlKey: true, shiftKey: change === "redo" });
  const list = document.querySelector(".cluster-list");
  while (list.querySelector(".row-rename") || list.querySelector("ul").textContent === before) {
    await new Promise((resolve) => {
      const watcher = new MutationObserver(() => {
        watcher.disconnect();
        resolve();
      });
      watcher.observe(list, { childList: true, characterData: true, subtree: true });
    });
  }
  await frame();
  const seen = performance.now() - begin;
  await new Promise((resolve) => setTimeout(resolve, 600));
  return seen;
}
