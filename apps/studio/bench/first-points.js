// How soon the studio shows something: from a file that is opened to the first points of its map, and from the end of a
// fit to the finished map. Wall time in a real browser, by software rendering: run it on a machine with nothing else to do.
// Beside it, the processor time that the page and its workers took until all points were placed, which depends less on others.
//
// The page itself opens the map at the first frame in which its tab can be clicked: a click from here would wait for the
// busy note to go, for the tab to rest and for two processes. Points are there once the canvas, read back, has ink; it is
// read only after something was drawn on it, because reading it keeps the page from drawing.
//
//   node apps/studio/bench/first-points.js [10000x784 100000x16 1000000x16]
//
// PLAYWRIGHT_CORE, CHROMIUM_PATH: as for apps/studio/browser/check.js.
import { writeBlobs } from "../browser/blobs.js";
import { launch, serve } from "../browser/stage.js";
import { visit } from "../browser/visit.js";

const SHAPES = ["10000x784", "100000x16", "1000000x16"];
const CLUSTERS = 8;

const shapes = process.argv.length > 2 ? process.argv.slice(2) : SHAPES;
const studio = await serve();
const browser = await launch();
try {
  console.log(
    "samples       file read  first points  all points  processor  fit ends  map after it  map finished (s, from the choice of the file)",
  );
  for (const shape of shapes) {
    const [n, m] = shape.split("x").map(Number);
    const path = writeBlobs(`${shape}.npy`, n, m, CLUSTERS);
    const times = await measure(path);
    console.log(shape.padEnd(12), ...times.map((time) => (time / 1000).toFixed(2).padStart(10)));
  }
} finally {
  await browser.close();
  await studio.end();
}

async function measure(path) {
  const me = await visit(browser, studio.url.replace(/#.*/, ""), []);
  // Nobody chooses a file before the page is there.
  await me.page.waitForLoadState("networkidle");
  await me.page.evaluate(watch);
  const system = await browser.newBrowserCDPSession();
  const before = await measureProcessor(system);
  const since = (name) =>
    me.page.waitForFunction((name) => globalThis.seen.get(name), name, { timeout: 600_000, polling: 20 });
  const times = [];
  const note = async (name) => times.push(await (await since(name)).jsonValue());
  await me.page.locator('input[type="file"]').first().setInputFiles(path);
  await note("read");
  await note("points");
  await note("all");
  times.push((await measureProcessor(system)) - before);
  await me.idle();
  await me.set({ k: CLUSTERS });
  await me.button("Fit").click();
  await note("fitted");
  await note("map");
  await note("labels");
  await me.page.context().close();
  return times;
}

/** What the pages and their workers took so far, in milliseconds. */
async function measureProcessor(system) {
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  return 1000 * processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Notes when things are there first, in milliseconds from the choice of the file. */
function watch() {
  let begin = 0;
  addEventListener(
    "change",
    (event) => {
      if (event.target.type === "file") begin = performance.now();
    },
    true,
  );
  globalThis.seen = new Map();
  const { drawArrays } = WebGL2RenderingContext.prototype;
  let drawn = 0;
  WebGL2RenderingContext.prototype.drawArrays = function (...given) {
    drawn++;
    drawArrays.apply(this, given);
  };
  let looked = 0;
  const isInked = (canvas) => {
    if (drawn === looked) return false;
    looked = drawn;
    const pen = new OffscreenCanvas(64, 64).getContext("2d");
    pen.drawImage(canvas, 0, 0, 64, 64);
    return pen.getImageData(0, 0, 64, 64).data.some((value, i) => i % 4 === 3 && value > 0);
  };
  const openMap = () => {
    const tab = [...document.querySelectorAll(".tabs button")].find(({ textContent }) => textContent === "Clusters");
    if (!tab || tab.disabled) return false;
    tab.click();
    return true;
  };
  const look = () => {
    const find = (selector) => document.querySelector(selector);
    const points = find(".points canvas");
    const there = {
      read: () => openMap(),
      points: () => points && isInked(points),
      all: () => globalThis.seen.has("points") && !/so far/.test(find(".drawn")?.textContent ?? ""),
      fitted: () => find(".runs li"),
      map: () => find(".map") && points && isInked(points),
      labels: () => find(".overlay .labels > *"),
    };
    for (const [name, is] of Object.entries(there)) {
      if (begin > 0 && !globalThis.seen.has(name) && is()) globalThis.seen.set(name, performance.now() - begin);
    }
    requestAnimationFrame(look);
  };
  look();
}
