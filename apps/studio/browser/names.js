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
  await checkDirections(browser, url, complaints);
  await checkLayout(browser, url, complaints);
}

/** In a list of names from right to left each arrow stays with its name, and long classes keep their share. */
async function checkDirections(browser, url, complaints) {
  await check("arrows stay with right-to-left names, shares with long classes", async () => {
    const me = await visit(browser, url, complaints);
    const data = join(folder, "directions.csv");
    const kinds = ["short", "a class with a very long name that no list has room for, whatever its width"];
    const lines = Array.from({ length: 60 }, (_, i) => {
      const high = i % 2 === 0;
      return [high ? 9 : 1, high ? 1 : 9, high ? 8 : 2]
        .map((value, f) => value + ((i * 7 + f) % 5) / 9)
        .concat(kinds[i % 2]);
    });
    const head = ["\u05d7\u05d5\u05dd", "\u0636\u063a\u0637", "\u05e8\u05d5\u05d7", "class"];
    writeFileSync(data, [head, ...lines].map((line) => `${line.map((cell) => JSON.stringify(cell))}\n`).join(""));
    await me.open(data);
    await me.set({ k: 2 });
    await me.fit();
    const away = await me.page.evaluate(
      (names) => {
        const walker = document.createTreeWalker(document.querySelector(".cluster-list ul"), NodeFilter.SHOW_TEXT);
        const place = (node, from, to) => {
          const range = document.createRange();
          range.setStart(node, from);
          range.setEnd(node, to);
          return range.getBoundingClientRect();
        };
        const found = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          for (const name of names) {
            const at = node.data.indexOf(name);
            const arrow = at < 0 ? -1 : Math.max(node.data.lastIndexOf("↑", at), node.data.lastIndexOf("↓", at));
            if (arrow < 0) continue;
            found.push(Math.round(place(node, at, at + name.length).left - place(node, arrow, arrow + 1).right));
          }
        }
        return found;
      },
      head.slice(0, 3),
    );
    holds(away.length === 6, `${away.length} names with arrows`);
    holds(
      away.every((gap) => gap >= 0 && gap < 10),
      `pixels from arrows to names: ${away}`,
    );
    const hidden = await me.page.evaluate(
      () =>
        [...document.querySelectorAll(".majority, .bonmf-badge")].filter(
          (line) => line.lastElementChild.getBoundingClientRect().right > line.getBoundingClientRect().right + 1,
        ).length,
    );
    equal(hidden, 0, "shares that are cut off");
    await me.page.context().close();
  });
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
