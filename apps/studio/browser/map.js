// The map as an instrument: labels, colours, filter, selection by pointer and keys, pictures of it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "../../../scripts/checks.js";
import { equal, folder, holds, until } from "./stage.js";
import { visit } from "./visit.js";

export async function checkMap(browser, url, complaints, shoot) {
  const me = await visit(browser, url, complaints);
  await me.open(writeTable());
  await me.set({ k: 4 });
  await me.fit();
  await rest(me);
  await checkLabels(me, shoot);
  await checkColours(me, shoot);
  await checkPointer(me, shoot);
  await checkKeys(me);
  await checkCamera(me);
  await checkPictures(me);
  await checkLoss(me);
  await check("nothing for axe to complain about on the map", async () => equal(await me.audit(), [], "problems"));
  await me.page.context().close();
}

/** Where the browser has no WebGL. */
export async function checkPlainMap(browser, url, complaints, shoot) {
  const me = await visit(browser, url, complaints);
  await check("without WebGL the map is drawn all the same", async () => {
    equal(await me.page.evaluate(() => document.createElement("canvas").getContext("webgl2")), null, "WebGL");
    await me.open(writeTable());
    await me.set({ k: 4 });
    await me.fit();
    await rest(me);
    holds((await rested(() => inked(me))) > 1000, "the map is empty");
  });
  await checkPointer(me, shoot);
  await me.page.context().close();
}

/** Four kinds of samples in six features, with a class and a day. */
function writeTable() {
  let state = 7;
  const draw = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const lines = Array.from({ length: 400 }, (_, i) => {
    const kind = i % 4;
    const values = Array.from({ length: 6 }, (_, f) => (f === kind || f === kind + 1 ? 6 : 1) + draw() * 1.5);
    const day = new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10);
    return [`row${i + 1}`, ["ant", "bee", "cat", "dog"][kind], day, ...values.map((value) => value.toFixed(3))].join();
  });
  const path = join(folder, "kinds.csv");
  writeFileSync(path, `name,kind,seen,a,b,c,d,e,f\n${lines.join("\n")}\n`);
  return path;
}

/** Waits until the samples have their final places, and lines and labels are drawn. */
export async function rest(me) {
  await me.page.locator(".overlay .labels > *").first().waitFor({ state: "attached", timeout: 120_000 });
}

const boxesOf = (me, selector) =>
  me.page.locator(selector).evaluateAll((all) =>
    all.map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return { left, right, top, bottom };
    }),
  );

/** How many pixels of the points are coloured. */
const inked = (me) =>
  me.page.locator(".points canvas").evaluate((canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(0, 0, canvas.width, canvas.height).data.filter((v, i) => i % 4 === 3 && v > 40).length;
  });

/** What is read once it stays as it is. */
async function rested(read) {
  let before = await read();
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    const now = await read();
    const same = JSON.stringify(now) === JSON.stringify(before);
    before = now;
    holds(same, "it does not rest");
  });
  return before;
}

async function checkLabels(me, shoot) {
  await check(
    "each cluster has a label on the map, none on another, and lines show where samples are dense",
    async () => {
      const boxes = await boxesOf(me, ".overlay .labels text");
      equal(boxes.length, 4, "labels");
      boxes.forEach((a, i) => {
        for (const b of boxes.slice(i + 1)) {
          const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
          holds(apart, `labels overlap: ${JSON.stringify([a, b])}`);
        }
      });
      const lines = me.page.locator(".overlay .contours path");
      equal(await lines.count(), 5, "contours");
      holds((await lines.first().getAttribute("d")).length > 100, "a contour is empty");
      await shoot(me, "map");
      await me.page.getByLabel("contours").uncheck();
      equal(await lines.count(), 0, "contours that were switched off");
      await me.page.getByLabel("contours").check();
      await me.rename(0, "first of all");
      await me.page.locator(".overlay .labels").getByText("first of all").waitFor();
      await me.set({ "map-labels": "words" });
      holds((await me.page.locator(".overlay .labels").textContent()).includes("↑"), "no features in the labels");
      await me.set({ "map-labels": "names" });
    },
  );
}

async function checkColours(me, shoot) {
  const chips = () => me.page.locator(".map-legend .chip").allInnerTexts();
  await check("colours by class, column, closeness and day, with a legend that says so", async () => {
    await me.set({ "map-colour": "column:kind" });
    await me.page.locator(".map-legend").getByText("ant").waitFor();
    equal(
      (await chips()).map((text) => text.trim()),
      ["ant 100", "bee 100", "cat 100", "dog 100"],
      "legend",
    );
    await me.page.locator(".overlay .labels").getByText("bee").waitFor();
    await me.set({ "map-colour": "column:seen" });
    await me.page.locator(".map-legend .ramp").waitFor();
    const days = (await me.page.locator(".map-legend .shade").innerText()).split(/\s+/);
    equal(
      days.map((day) => day.slice(0, 4)),
      ["2020", "2021"],
      "ends of the scale",
    );
    await shoot(me, "map-dates");
    await me.set({ "map-colour": "closeness" });
    await me.page.locator(".map-legend").getByText("Closeness").waitFor();
    await me.set({ "map-colour": "column:a" });
    await me.page.locator(".map-legend").getByText("a", { exact: true }).waitFor();
    await me.set({ "map-colour": "cluster" });
  });
  await check("a click in the legend shows a cluster alone, a second one another beside it", async () => {
    const all = await rested(() => inked(me));
    const chip = (place) => me.page.locator(".map-legend .chip").nth(place);
    await chip(1).click();
    await until(async () => holds((await inked(me)) < 0.45 * all, "the others are still there"));
    const one = await rested(() => inked(me));
    equal(await me.page.locator(".overlay .labels text").count(), 1, "labels");
    await chip(2).click();
    await until(async () => holds((await inked(me)) > one, "no other is there"));
    const two = await rested(() => inked(me));
    holds(one < 0.75 * two && two < 0.75 * all, `pixels: ${one}, ${two} of ${all}`);
    equal(await chip(1).getAttribute("aria-pressed"), "true", "pressed");
    await me.button("Show all").click();
    await until(async () => equal(await inked(me), all, "pixels of all"));
  });
}

async function checkPointer(me, shoot) {
  const map = me.page.locator(".hands");
  await map.scrollIntoViewIfNeeded();
  /** Along corners, as shares of the map's sides. */
  const drag = async (corners, look = async () => {}) => {
    const { x, y, width, height } = await map.boundingBox();
    const [first, ...others] = corners.map(([across, down]) => [x + across * width, y + down * height]);
    await me.page.mouse.move(...first);
    await me.page.mouse.down();
    for (const corner of others) await me.page.mouse.move(...corner, { steps: 4 });
    await look();
    await me.page.mouse.up();
  };
  const seen = ".hands, .corner button, .tabs, .pane > *, .map-tools > *, .chip, .cluster-row";
  await check("Shift and drag selects a rectangle, the lasso what it goes around; nothing moves", async () => {
    const places = await rested(() => boxesOf(me, seen));
    await me.page.keyboard.down("Shift");
    await drag([
      [0.01, 0.01],
      [0.99, 0.99],
    ]);
    await me.page.keyboard.up("Shift");
    await me.page.getByText("400 samples selected").waitFor();
    const fresh = ({ left, top }) => !places.some((place) => place.left === left && place.top === top);
    equal((await boxesOf(me, seen)).filter(fresh).length, 1, "what is elsewhere, beside the new button to zoom to it");
    await me.button("Lasso").click();
    const around = [
      [0.01, 0.2],
      [0.5, 0.2],
      [0.5, 0.9],
      [0.01, 0.9],
    ];
    await drag(around, () =>
      me.page.waitForFunction(
        () => document.querySelector(".overlay .lasso")?.getAttribute("d").split("L").length >= 13,
      ),
    );
    await me.page.getByText("(the lasso)").waitFor();
    const count = Number(/^(\d+)/.exec(await me.page.locator(".selection > p").innerText())?.[1]);
    holds(count > 20 && count < 380, `${count} samples selected`);
    await shoot(me, "map-lasso");
    await me.button("Lasso").click();
    await me.button("Clear the selection").click();
  });
  await check("what is searched is selected in every view", async () => {
    await me.page.locator("#map-search").fill("row12");
    await me.page.getByText("11 samples selected").waitFor();
    await me.tab("Samples");
    await me.page.getByText("11 samples", { exact: true }).waitFor();
    equal(await me.page.locator(".tile").count(), 11, "samples listed");
    await me.tab("Clusters");
    await rest(me);
    await me.button("Clear the selection").click();
  });
}

async function checkKeys(me) {
  const map = me.page.locator(".hands");
  const ring = me.page.locator(".overlay .bonmf-ring");
  const at = async () => [await ring.getAttribute("cx"), await ring.getAttribute("cy")].map(Number);
  await check("keys go from sample to sample and cluster to cluster, select and clear; all is announced", async () => {
    await map.focus();
    await me.page.keyboard.press("ArrowRight");
    await ring.waitFor();
    const places = new Set();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"]) {
      await me.page.keyboard.press(key);
      places.add((await rested(at)).join());
    }
    holds(places.size >= 3, `the ring was at ${[...places]}`);
    const spoken = new Set();
    for (let i = 0; i < 4; i++) {
      await me.page.keyboard.press("PageDown");
      const known = spoken.size;
      await until(async () => {
        const text = await me.page.locator(".scatter > [role=status]").innerText();
        if (text.includes(", ")) spoken.add(text.replace(/^.*?, /, ""));
        holds(spoken.size > known, `clusters announced: ${[...spoken]}`);
      });
    }
    await me.page.keyboard.press("Enter");
    await me.page.getByText("1 sample selected").waitFor();
    await me.page.keyboard.press("Shift+Enter");
    await me.page.getByText(/^\d+ samples selected/).waitFor();
    await me.page.keyboard.press("Escape");
    await me.page.waitForFunction(() => document.querySelector(".selection.on") === null);
    equal(await ring.count(), 0, "rings after Escape");
  });
  await check("pointing at a sample shows it; samples stay where they are when run and k change", async () => {
    await me.page.keyboard.press("PageDown");
    await ring.waitFor();
    const place = await rested(at);
    const { x, y } = await map.boundingBox();
    const name = await me.page.locator(".map-card strong").innerText();
    await me.page.keyboard.press("Escape");
    const hover = async () => {
      await me.page.mouse.move(x + place[0] + 30, y + place[1]);
      await me.page.mouse.move(x + place[0], y + place[1], { steps: 3 });
      await me.page.locator(".map-card").waitFor();
      return me.page.locator(".map-card strong").innerText();
    };
    equal(await hover(), name, "the sample under the pointer");
    await me.set({ k: 3 });
    await me.fit();
    await rest(me);
    equal(await hover(), name, "the sample there in another run");
  });
}

async function checkCamera(me) {
  const transform = () => me.page.locator(".overlay .contours").getAttribute("transform");
  const scale = async () => Number(/scale\(([\d.]+)/.exec(await transform())[1]);
  await check("the camera goes to the selection, to all that is shown, and back", async () => {
    const whole = await scale();
    await me.page.locator("#map-search").fill("row12");
    await me.page.getByText("11 samples selected").waitFor();
    await me.page.locator(".map-legend .chip").first().click();
    await me.button("Zoom to selection").click();
    await until(async () => holds((await scale()) !== whole, "the camera stays"));
    await rested(scale);
    await me.button("Zoom to fit").click();
    await until(async () => holds((await scale()) > 1.1 * whole, `the scale is that of the whole map, ${whole}`));
    await rested(scale);
    await me.button("Whole map").click();
    await until(async () => equal(await scale(), whole, "scale of the whole map"));
    await me.button("Show all").click();
    await me.button("Clear the selection").click();
  });
}

async function checkLoss(me) {
  const ask = (step) =>
    me.page.evaluate((step) => {
      globalThis.graphics ??= document.querySelector(".points canvas").getContext("webgl2");
      globalThis.extension ??= globalThis.graphics.getExtension("WEBGL_lose_context");
      globalThis.extension[step]();
    }, step);
  const hasGraphics = () =>
    me.page.evaluate(() => document.querySelector(".points canvas") === globalThis.graphics.canvas);
  await check("a map whose graphics card is lost is drawn without it, and by it once it is back", async () => {
    const before = await rested(() => inked(me));
    await ask("loseContext");
    await until(async () => equal(await hasGraphics(), false, "drawn by the card that was lost"));
    const plain = await rested(() => inked(me));
    holds(Math.abs(plain - before) < 0.1 * before, `pixels: ${plain}, not about ${before}`);
    await ask("restoreContext");
    await until(async () => equal(await hasGraphics(), true, "drawn by the card that is back"));
    await until(async () => equal(await inked(me), before, "pixels"));
  });
}

async function checkPictures(me) {
  await check("the map is saved as PNG and SVG, with its labels", async () => {
    const png = await me.save("PNG");
    equal(png.subarray(1, 4).toString(), "PNG", "signature");
    holds(png.length > 10_000, `${png.length} bytes`);
    const svg = (await me.save("SVG")).toString();
    for (const part of ["<image", "Cluster 1</text>", "<path"]) holds(svg.includes(part), `no ${part} in the SVG`);
    holds(!/oklch|var\(/.test(svg), "colours that other programs do not know");
  });
}
