// Hostile names as features, classes, ids and clusters of a report: shown as they are, and nothing runs.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { report } from "../../../scripts/checks.js";
import { HOSTILE_NAMES } from "../../data/test/fixtures/hostile-names.js";

const binary = fileURLToPath(new URL("../../../apps/cli/dist/main.js", import.meta.url));
const { nul: _, empty: __, surrogate: ___, ...writable } = HOSTILE_NAMES;
const { html, script, closing, attribute, entity, match } = HOSTILE_NAMES;
const CLASSES = [html, script, closing, attribute];
const CLUSTERS = [html, `${closing}2`, entity];

/** Samples whose columns, classes and ids are hostile names. */
export function writeHostile(path) {
  const names = Object.values(writable);
  const rows = Array.from({ length: 48 }, (_, i) => {
    const values = names.map((name, c) => [name, (i % 3 === c % 3 ? 5 : 0) + ((i * 7 + c * 3) % 10) / 10]);
    return JSON.stringify(
      Object.fromEntries([...values, ["the class", CLASSES[i % 4]], ["the id", names[i % names.length]]]),
    );
  });
  writeFileSync(path, rows.join("\n"));
}

export async function checkNames(browser, folder) {
  const [data, model, page] = ["hostile.jsonl", "hostile.st", `${match}.html`].map((name) => join(folder, name));
  writeHostile(data);
  const roles = ["--label", "the class", "--id", "the id"];
  run("fit", data, "--k", "3", ...roles, "--out", model);
  run("report", model, data, ...roles, "--names", CLUSTERS.join(","), "--out", page);
  await look(browser, page, "hostile names", 3);
  run("classify", data, ...roles, "--scheme", "linear", "--report", page);
  await look(browser, page, "hostile names of a test", 1);
}

function run(...args) {
  const { status, stderr } = spawnSync(process.execPath, [binary, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`bonmf ${args.join(" ")}: ${stderr}`);
}

/** @param plots how many are drawn: a page about clusters has several, one about a test one */
async function look(browser, path, title, plots) {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  const happened = [];
  page.on("dialog", (dialog) => {
    happened.push(`a dialog says ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => happened.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) happened.push(message.text());
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector(".bonmf-report footer");
  await page.waitForFunction((count) => document.querySelectorAll(".bonmf-frame svg").length >= count, plots);
  for (const circle of (await page.locator(".bonmf-stage svg circle").all()).slice(0, 4)) {
    await circle.hover({ force: true });
  }
  report(`${title}: nothing runs and nothing fails`, happened);
  const strange = await page.$$eval("img[src='x'], form, base, iframe, [onmouseover], [onerror]", (all) =>
    all.map((one) => one.outerHTML.slice(0, 120)),
  );
  report(`${title}: no element comes from a name`, strange);
  const scripts = await page.evaluate(() => document.scripts.length);
  report(`${title}: no script but the page's own two`, scripts === 2 ? [] : [`${scripts} scripts`]);
  const cards = await page.locator(".bonmf-card h3").allTextContents();
  const called = plots > 1 ? CLUSTERS : CLASSES;
  report(`${title}: clusters or classes are called as they are`, findMissing(called, cards));
  const text = await page.locator("main").evaluate((main) => main.textContent);
  report(`${title}: classes too`, findMissing(CLASSES, [text]));
  const features = [...new Set(Object.values(writable))].filter((name) => name.length > 5 && text.includes(name));
  report(`${title}: features too`, features.length > called.length ? [] : features);
  happened.length = 0;
  const ran = await page.evaluate(() => {
    const one = document.createElement("script");
    one.textContent = "globalThis.ran = true";
    document.body.append(one);
    return globalThis.ran === true;
  });
  report(`${title}: the policy refuses a script that is not the page's`, ran ? ["it ran"] : []);
  await context.close();
}

function findMissing(names, texts) {
  return names.filter((name) => !texts.some((text) => text.includes(name))).map((name) => `no ${JSON.stringify(name)}`);
}
