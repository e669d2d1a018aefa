// The whole flow without a pointer: open, fit, look, rename, merge, select, classify, export. The focus is never lost.
import { readFileSync } from "node:fs";
import { check } from "../../../scripts/checks.js";
import { equal, holds } from "./stage.js";
import { visit } from "./visit.js";

/** More presses of Tab than any person would bear. */
const MOST_TABS = 120;

export async function checkKeyboard(browser, url, complaints, shoot) {
  const me = await visit(browser, url, complaints);
  const { keyboard } = me.page;
  const focus = () =>
    me.page.evaluate(() => {
      const { tagName, id, textContent, dataset, ariaLabel } = document.activeElement;
      return { tagName, id, text: (ariaLabel ?? textContent ?? "").trim().slice(0, 80), cluster: dataset.cluster };
    });
  /** Tab until something has the focus; back by Shift. */
  const reach = async (what, key = "Tab") => {
    for (let presses = 0; presses < MOST_TABS; presses++) {
      const now = await focus();
      if (what(now)) return presses;
      await keyboard.press(key);
    }
    throw new Error(`no ${key} leads there; the focus is on ${JSON.stringify(await focus())}`);
  };
  const isText = (text) => (now) => now.text === text;
  const kept = async (after) => holds((await focus()).tagName !== "BODY", `the focus is lost after ${after}`);
  await check("by keyboard: an example is opened and fitted", async () => {
    await me.page.locator(".drop").waitFor();
    await reach(({ text }) => text.includes("Drinks"));
    await keyboard.press("Enter");
    await me.ready();
    await kept("opening");
    await reach(isText("Fit"));
    await keyboard.press("Enter");
    await me.found();
    equal((await focus()).text, "Fit", "the focus after the fit");
  });
  await check("by keyboard: clusters are reached in a few keys, renamed, merged, undone and selected", async () => {
    await reach(isText("Skip to the main part"), "Shift+Tab");
    await keyboard.press("Enter");
    equal((await focus()).tagName, "MAIN", "the focus after skipping");
    const presses = await reach(({ cluster }) => cluster === "0");
    console.log(`     ${presses} presses of Tab from the main part to the clusters`);
    await keyboard.press("F2");
    await keyboard.type("sweet things");
    await keyboard.press("Enter");
    await me.page.locator(".bonmf-card h3", { hasText: "sweet things" }).waitFor();
    await me.idle();
    equal((await focus()).cluster, "0", "the focus after renaming");
    await keyboard.press("m");
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await me.page.waitForFunction(() => document.querySelectorAll(".bonmf-card").length === 5);
    await me.idle();
    await me.page.getByText("sweet things and Cluster 1 are one cluster now").waitFor();
    equal((await focus()).cluster, "0", "the focus after merging");
    await keyboard.press("Control+z");
    await me.page.waitForFunction(() => document.querySelectorAll(".bonmf-card").length === 6);
    await me.idle();
    await kept("undoing");
    await reach(({ cluster }) => cluster !== undefined, "Shift+Tab").catch(() =>
      reach(({ cluster }) => cluster !== undefined),
    );
    await keyboard.press("Enter");
    await me.page.getByText(/samples? selected/).waitFor();
    await shoot(me, "keyboard");
  });
  await check("by keyboard: the selection leads to the samples, and one to its details; Escape closes", async () => {
    await reach(isText("Show them"), "Shift+Tab");
    await keyboard.press("Enter");
    await me.page.locator(".tile").first().waitFor();
    await kept("Show them");
    await reach(({ tagName, text }) => tagName === "BUTTON" && text.startsWith("cup "));
    const { text } = await focus();
    await keyboard.press("Enter");
    await me.page.locator(".detail h2").waitFor();
    await keyboard.press("Escape");
    await me.page.locator(".detail").waitFor({ state: "detached" });
    equal((await focus()).text, text, "the focus after Escape");
    await reach(isText("Clear the selection"), "Shift+Tab");
    await keyboard.press("Enter");
    await kept("clearing the selection");
  });
  await check("by keyboard: a sample is classified, and the clusters are saved", async () => {
    await reach(isText("Classify"), "Shift+Tab");
    await keyboard.press("Enter");
    await reach(({ id }) => id === "f0");
    await keyboard.press("Control+a");
    await keyboard.type("9");
    await keyboard.press("Enter");
    await me.page.locator(".answer").waitFor();
    equal((await focus()).id, "f0", "the focus after classifying");
    const live = await me.page.locator('.answer >> xpath=ancestor::*[@aria-live="polite"]').count();
    equal(live, 1, "parts that announce the answer");
    await reach(isText("Export"), "Shift+Tab");
    await keyboard.press("Enter");
    await reach(isText("Save the assignments"));
    const [download] = await Promise.all([me.page.waitForEvent("download"), keyboard.press("Enter")]);
    equal(
      readFileSync(await download.path(), "utf8")
        .trimEnd()
        .split("\n").length,
      481,
      "lines",
    );
    await kept("saving");
  });
  await me.page.context().close();
}
