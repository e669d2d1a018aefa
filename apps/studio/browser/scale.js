// Large data: the page stays responsive while it is fitted, and a million samples work.
import { check } from "../../../scripts/checks.js";
import { writeBlobs } from "./blobs.js";
import { equal, holds, until } from "./stage.js";
import { longestTask } from "./tasks.js";
import { visit } from "./visit.js";

/** Milliseconds of processor time. */
const LONGEST = 100;

export async function checkScale(browser, url, complaints) {
  await check("some of many samples are on the map before all of them", async () => {
    const me = await visit(browser, url, complaints);
    await me.page.evaluate(noteDrawn);
    await me.open(writeBlobs("many.npy", 10_000, 784, 10));
    const notes = await me.page.evaluate(() => globalThis.notes);
    holds(notes.includes("1,275 of 10,000 samples so far"), `the map said ${JSON.stringify(notes)}`);
    await until(async () => equal(await me.page.locator(".drawn").count(), 0, "notes once all are there"));
    await me.page.context().close();
  });
  const me = await visit(browser, url, complaints);
  await check("a task of more than 100 ms on the main thread would be seen", async () => {
    const burnt = await longestTask(me, () => me.page.evaluate(burn));
    holds(burnt > LONGEST, `${burnt} ms were seen`);
  });
  await check("no task of 100 ms on the main thread while 10,000 × 784 are fitted", async () => {
    await me.open(writeBlobs("large.npy", 10_000, 784, 10));
    await me.set({ k: 10 });
    const longest = await longestTask(me, () => me.fit());
    console.log(`     longest task while fitting: ${longest} ms`);
    holds(longest < LONGEST, `a task took ${longest} ms`);
  });
  await me.page.context().close();
  await check("1,000,000 × 16 work, and the map blocks the page for less than 100 ms", async () => {
    const me = await visit(browser, url, complaints);
    await me.open(writeBlobs("million.npy", 1_000_000, 16, 8));
    await me.page.getByText("1,000,000 samples · 16 features").waitFor();
    await me.set({ k: 8 });
    await me.fit();
    const longest = await longestTask(me, () => useMap(me));
    const drawn = await me.page.locator(".scatter .drawn").allInnerTexts();
    console.log(`     longest task on the map: ${longest} ms; ${drawn}`);
    holds(longest < LONGEST, `a task took ${longest} ms`);
    await me.tab("Samples");
    await me.page.getByText("1,000,000 samples", { exact: true }).waitFor({ timeout: 120_000 });
    await me.page.context().close();
  });
}

/** Opens the map as soon as it can be, and keeps what it says of the points drawn. */
function noteDrawn() {
  globalThis.notes = [];
  new MutationObserver(() => {
    const tab = [...document.querySelectorAll(".tabs button")].find(({ textContent }) => textContent === "Clusters");
    if (tab && !tab.disabled && !tab.hasAttribute("aria-current")) tab.click();
    const note = document.querySelector(".drawn")?.textContent;
    if (note && note !== globalThis.notes.at(-1)) globalThis.notes.push(note);
  }).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
}

/** More than 100 ms of work on any machine: each of the products waits for the one before it. */
function burn() {
  let product = 1;
  for (let i = 0; i < 100_000_000; i++) product = (Math.imul(product, 31) + i) | 0;
  return product;
}

/** Zooms, filters and selects. */
async function useMap(me) {
  const map = me.page.locator(".hands");
  await map.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await map.boundingBox();
  await map.click({ position: { x: 5, y: 5 } });
  await me.page.mouse.move(x + width / 2, y + height / 2);
  for (let i = 0; i < 4; i++) await me.page.mouse.wheel(0, i < 2 ? -200 : 200);
  await me.page.mouse.move(x + width / 3, y + height / 3, { steps: 5 });
  await me.page.locator(".map-legend .chip").first().click();
  await me.page.locator(".map-legend .chip").first().click();
  await me.page.keyboard.down("Shift");
  await me.page.mouse.move(x + 20, y + 60);
  await me.page.mouse.down();
  await me.page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
  await me.page.mouse.up();
  await me.page.keyboard.up("Shift");
  await me.page.getByText(/samples selected/).waitFor({ timeout: 60_000 });
  await me.button("Clear the selection").click();
}
