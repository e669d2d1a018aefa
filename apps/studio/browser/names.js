// Hostile names as columns, classes, ids and clusters: shown and exported as they are, and nothing runs.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOSTILE_NAMES } from "../../../packages/data/test/fixtures/hostile-names.js";
import { writeHostile } from "../../../packages/report/browser/names.js";
import { check } from "../../../scripts/checks.js";
import { equal, folder, holds } from "./stage.js";
import { visit } from "./visit.js";

const { html, formula } = HOSTILE_NAMES;

export async function checkNames(browser, url, complaints) {
  const me = await visit(browser, url, complaints);
  const dialogs = [];
  me.page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const data = join(folder, `${html.replaceAll("/", "")}.jsonl`);
  writeHostile(data);
  await check("hostile names: a table is opened, fitted and looked at", async () => {
    await me.open(data);
    await me.page.getByText(html, { exact: true }).filter({ visible: true }).first().waitFor();
    await me.set({ label: "the class", k: 3 });
    await me.fit();
    for (const tab of ["Samples", "Agreement", "Compare", "Data"]) await me.tab(tab);
    equal(dialogs, [], "dialogs");
    const strange = await me.page.locator("img[src='x'], iframe, [onerror], [onmouseover]").count();
    equal(strange, 0, "elements that come from names");
  });
  await check("hostile names: they are exported as they are, or safe for spreadsheets", async () => {
    await me.tab("Export");
    const plain = (await me.save("Save the assignments")).toString();
    holds(plain.includes(`,${formula},`) && plain.includes(html), "the names as they are");
    await me.page.getByLabel("Safe for spreadsheets").check();
    const safe = (await me.save("Save the assignments")).toString();
    holds(safe.includes(`,'${formula},`) && !safe.includes(`,${formula},`), "an apostrophe before formulas");
  });
  await me.page.context().close();
  await checkLayout(browser, url, complaints);
}

const LONG_NAMES = [
  "عنوان طويل جدا لعمود في جدول بيانات لا ينتهي أبدا",
  "a".repeat(180),
  `combining ${"e\u0301\u0316".repeat(40)}`,
  `שם ארוך מאוד של קבוצה ${"ב".repeat(60)}`,
  "普通の長い名前".repeat(12),
];

/** Long, right-to-left and combining names as columns, classes, ids and clusters: nothing leaves the page at its side. */
async function checkLayout(browser, url, complaints) {
  const data = join(folder, "long.csv");
  const head = ["name", ...LONG_NAMES, "class"].map((name) => JSON.stringify(name));
  const lines = Array.from({ length: 120 }, (_, i) => [
    JSON.stringify(`${LONG_NAMES[i % 5]} ${i}`),
    ...LONG_NAMES.map((_, f) => ((f === i % 3 ? 9 : 1) + ((i * 7 + f) % 5) / 3).toFixed(2)),
    JSON.stringify(LONG_NAMES[i % 3]),
  ]);
  writeFileSync(data, [head, ...lines].map((line) => `${line.join(",")}\n`).join(""));
  const looks = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } };
  for (const [device, viewport] of Object.entries(looks)) {
    await check(`long and right-to-left names stay inside the page, ${device}`, async () => {
      const me = await visit(browser, url, complaints, { viewport });
      const problems = [];
      const look = async (view) => {
        const wide = await me.page.evaluate(() => {
          const isClipped = (element) => {
            for (let at = element.parentElement; at; at = at.parentElement) {
              if (getComputedStyle(at).overflowX !== "visible") return true;
            }
            return false;
          };
          const { clientWidth, scrollWidth } = document.documentElement;
          if (scrollWidth > clientWidth) return [`${scrollWidth - clientWidth} pixels to scroll`];
          return [...document.querySelectorAll("main *, header *")]
            .filter((element) => element.getBoundingClientRect().right > clientWidth + 1 && !isClipped(element))
            .map(({ className, tagName }) => `${tagName} ${className}`);
        });
        if (wide.length > 0) problems.push(`${view}: ${wide.slice(0, 3).join(", ")}`);
      };
      await me.open(data);
      await look("Data");
      await me.set({ k: 3 });
      await me.fit();
      for (const cluster of [0, 1, 2]) await me.rename(cluster, LONG_NAMES[cluster === 2 ? 3 : cluster]);
      await me.page.locator('[data-cluster="1"]').press("Enter");
      await look("Clusters");
      for (const view of ["Samples", "Agreement", "Classify", "Compare", "Export"]) {
        await me.tab(view);
        if (view === "Samples") await me.page.locator(".tile").first().click();
        if (view === "Samples") await me.page.locator(".detail .near").waitFor();
        if (view === "Classify") await me.button("Classify").last().click();
        if (view === "Classify") await me.page.locator(".answer").waitFor();
        await look(view);
      }
      equal(problems, [], "what is wider than the page");
      await me.page.context().close();
    });
  }
}
