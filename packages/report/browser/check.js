// Makes reports with the built command (pictures, text, a table), opens them from disk in a real browser, on a desktop
// and a phone, in light and dark, and checks what people and their assistive technology find there.
//
//   node packages/report/browser/check.js [folder for screenshots]
//
// PLAYWRIGHT_CORE: a folder whose node_modules holds playwright-core, which is no dependency of this repository.
// CHROMIUM_PATH:   the browser, when it is not on PATH.
// BONMF_DATA_DIR:  the datasets.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "../../../scripts/browser.js";
import { finishChecks, report } from "../../../scripts/checks.js";
import { findPrintFaults } from "../../../scripts/printed.js";
import { checkNames } from "./names.js";
import { CASES, makeReport, makeTestReport, TESTS } from "./reports.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SCREENS = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
};
const MOST_BYTES = 3_000_000;

const shots = process.argv[2] ? resolve(process.argv[2]) : null;
if (shots) mkdirSync(shots, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "bonmf-report-"));
const browser = await launch();
try {
  for (const [name, one] of Object.entries(CASES)) {
    const path = makeReport(one, join(folder, `${name}.html`));
    const size = statSync(path).size;
    report(`${name}: ${size} bytes are fewer than ${MOST_BYTES}`, size < MOST_BYTES ? [] : [String(size)]);
    for (const colorScheme of ["light", "dark"]) {
      for (const [screen, viewport] of Object.entries(SCREENS)) {
        await visit(`${name}, ${screen}, ${colorScheme}`, path, { viewport, colorScheme }, one);
      }
    }
    await operate(name, path, one);
    if (one.named) await readNames(name, path, one.named);
    await print(name, path);
  }
  for (const [name, one] of Object.entries(TESTS)) {
    const path = makeTestReport(one, join(folder, `${name}.html`));
    const size = statSync(path).size;
    report(`${name}: ${size} bytes are fewer than ${MOST_BYTES}`, size < MOST_BYTES ? [] : [String(size)]);
    for (const colorScheme of ["light", "dark"]) {
      for (const [screen, viewport] of Object.entries(SCREENS)) {
        await visit(`${name}, ${screen}, ${colorScheme}`, path, { viewport, colorScheme, plots: 1 }, one);
      }
    }
    if (one.headings.includes("What was tried")) await showTried(name, path);
    await print(name, path, 1);
  }
  await checkNames(browser, folder);
} catch (error) {
  report("runs to the end", [error.stack]);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
finishChecks();

/** @param plots how many must be drawn */
async function open(path, { plots = 3, ...options }) {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asks for ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector(".bonmf-report footer");
  await page.waitForFunction((count) => document.querySelectorAll(".bonmf-frame svg").length >= count, plots);
  return { page, context, complaints };
}

async function showTried(name, path) {
  const { page, context } = await open(path, { viewport: SCREENS.desktop, plots: 1 });
  const rows = page.locator("#tried tbody tr:visible");
  const few = await rows.count();
  const button = page.getByRole("button", { name: /^Show all \d+$/ });
  const all = Number((await button.textContent()).replace(/\D/g, ""));
  await button.click();
  const seen = await rows.count();
  report(
    `${name}: shows some of what was tried, and all on demand`,
    few < all && seen === all ? [] : [`${few}, ${seen} of ${all}`],
  );
  await context.close();
  const narrow = await open(path, { viewport: SCREENS.phone, plots: 1 });
  const { x, width } = await narrow.page.locator("#tried tbody td").first().boundingBox();
  const hidden = x + width > SCREENS.phone.width;
  report(`${name}: a phone shows the score beside the candidate`, hidden ? [`it ends at ${x + width} pixels`] : []);
  await narrow.context.close();
}

async function visit(title, path, options, { headings }) {
  const { page, context, complaints } = await open(path, options);
  const found = await page.$$eval("h1, h2", (all) => all.map((one) => one.textContent));
  const missing = headings.filter((heading) => !found.includes(heading));
  report(`${title}: headings`, missing.length > 0 ? [`no ${missing} among ${found}`] : []);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  report(`${title}: fits the screen`, wide > 0 ? [`${wide} pixels too wide`] : []);
  report(`${title}: every plot has a text alternative`, await findSilent(page));
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const problems = violations.map(({ id, nodes }) => `${id}: ${nodes.length} times, as ${nodes[0].html.slice(0, 160)}`);
  report(`${title}: axe finds nothing`, problems);
  report(`${title}: console and network are silent`, complaints);
  if (shots) await page.screenshot({ path: join(shots, `${title.replaceAll(", ", "-")}.png`), fullPage: true });
  await context.close();
}

/** Plots and pictures without a name that says something. */
function findSilent(page) {
  return page.$$eval(".bonmf-report svg.bonmf-plot, .bonmf-report canvas:not([aria-hidden])", (all) =>
    all.filter((one) => (one.getAttribute("aria-label") ?? "").length < 4).map((one) => one.outerHTML.slice(0, 120)),
  );
}

/** The map by pointer and by keyboard, and its switches. */
async function operate(name, path, { shows, labelled }) {
  const { page, context, complaints } = await open(path, { viewport: SCREENS.desktop });
  const aside = page.locator(".bonmf-point");
  const before = await aside.innerText();
  await page.locator(".bonmf-stage svg circle").first().hover({ force: true });
  await page.waitForFunction((text) => document.querySelector(".bonmf-point").innerText !== text, before);
  const pointed = await aside.innerText();
  report(`${name}: pointing at a sample tells about it`, /Cosine/.test(pointed) ? [] : [pointed]);
  report(`${name}: and shows it`, (await aside.locator(shows).count()) > 0 ? [] : [`no ${shows}`]);
  await page.locator(".bonmf-stage svg").focus();
  const stops = new Set();
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowLeft"]) {
    await page.keyboard.press(key);
    stops.add(await aside.locator(".bonmf-title").innerText());
  }
  report(`${name}: arrow keys go from sample to sample`, stops.size > 2 ? [] : [[...stops].join(", ")]);
  const chip = page.locator(".bonmf-chip").first();
  await chip.focus();
  await page.keyboard.press("Enter");
  const counted = await page.evaluate(() =>
    [".bonmf-dots circle", ".bonmf-others circle", ".bonmf-names > :is(text, image)"].map(
      (selector) => document.querySelectorAll(`.bonmf-stage ${selector}`).length,
    ),
  );
  const [lit, faint, labels] = counted;
  const alone = lit > 0 && lit < faint && labels === 1;
  report(`${name}: a chip shows one cluster alone, with its label`, alone ? [] : [`${counted}`]);
  await chip.press("Enter");
  await checkMapMarks(name, page);
  if (labelled) {
    await page.locator(".bonmf-switch input").nth(1).check({ force: true });
    const chips = await page.locator(".bonmf-chip").allInnerTexts();
    report(`${name}: colours by class`, chips.includes(labelled) ? [] : [chips.join(", ")]);
  }
  await page.locator(".bonmf-switch input").last().check({ force: true });
  const scale = await page.locator(".bonmf-shades").innerText();
  report(`${name}: colours by closeness`, /^cosine to the prototype\s+\S+\s+\S+$/.test(scale) ? [] : [scale]);
  report(`${name}: no errors on the way`, complaints);
  await context.close();
}

/** Lines of density, and labels that do not cover each other. */
async function checkMapMarks(name, page) {
  const lines = await page.locator(".bonmf-stage .bonmf-contours path").count();
  report(`${name}: the map has contours`, lines >= 3 ? [] : [`${lines} lines`]);
  const problems = await page.$$eval(".bonmf-names > :is(text, rect)", (all) => {
    const boxes = all.map((one) => one.getBoundingClientRect());
    return boxes.flatMap((a, i) =>
      boxes
        .slice(i + 1)
        .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        .map((b) => `labels at ${a.left}, ${a.top} and ${b.left}, ${b.top} overlap`),
    );
  });
  const labels = await page.locator(".bonmf-names > :is(text, rect)").count();
  report(`${name}: the map has labels, none on another`, labels > 1 ? problems : [`${labels} labels`]);
}

/** Names that clusters were given stand wherever there would be numbers. */
async function readNames(name, path, names) {
  const { page, context } = await open(path, { viewport: SCREENS.desktop });
  const places = {
    cards: ".bonmf-card h3",
    chips: ".bonmf-chip",
    "the map": ".bonmf-names text",
    sizes: ".bonmf-figures figure:first-child text",
    "the matrix": ".bonmf-matrix thead th",
    "the classes": ".bonmf-table .bonmf-of > span",
  };
  for (const [place, selector] of Object.entries(places)) {
    const found = await page.locator(selector).allTextContents();
    // The words of the cluster may follow its name.
    const missing = names.filter((one) => !found.some((text) => text.startsWith(one)));
    report(`${name}: ${place} call clusters by their names`, missing.length > 0 ? [`no ${missing} in ${found}`] : []);
  }
  const text = await page.locator("main").innerText();
  const numbers = text.match(/\bcluster \d|→ \d/gi) ?? [];
  report(`${name}: no cluster goes by its number`, numbers);
  report(`${name}: those next to borderline members have names`, text.includes(`→ ${names[0]}`) ? [] : ["none"]);
  await context.close();
}

/** As printed, in light even from a dark screen; map and matrix are whole, and what can be pressed is left out. */
async function print(name, path, plots) {
  const { page, context } = await open(path, { viewport: SCREENS.desktop, colorScheme: "dark", plots });
  report(`${name}: nothing is cut off on paper, and no tools are there`, await findPrintFaults(page));
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  report(`${name}: prints on white`, ground === "rgb(255, 255, 255)" ? [] : [ground]);
  const pdf = await page.pdf({ format: "A4", ...(shots && { path: join(shots, `${name}.pdf`) }) });
  report(`${name}: prints`, pdf.length > 10_000 ? [] : [`${pdf.length} bytes`]);
  await context.close();
}
