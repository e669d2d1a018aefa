// Checks the built site: links, search, Run buttons, demos, and the look on a desktop and a phone, in light and dark.
//
//   npm run docs && node docs/check.js [folder for screenshots]
//
// PLAYWRIGHT_CORE: a folder whose node_modules holds playwright-core, which is no dependency of this repository.
// CHROMIUM_PATH:   the browser, when it is not on PATH.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch } from "../scripts/browser.js";
import { check, finishChecks } from "../scripts/checks.js";
import { findBrokenLinks, listPages } from "./links.js";
import { serve } from "./serve.js";

const SCREENS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const SHOWN = ["", "start", "cli", "methods", "studio", "report", "benchmarks", "api/bonmf/functions/fit"];
const [shots] = process.argv.slice(2);
if (shots) mkdirSync(shots, { recursive: true });

const pages = listPages();
await check(`the links of ${pages.length} pages lead somewhere`, () => {
  const broken = findBrokenLinks(pages);
  if (broken.length > 0) throw new Error(broken.join("\n"));
});

const site = await serve();
const browser = await launch();
try {
  await checkSearch();
  const runnable = pages.filter(({ html }) => html.includes('class="runnable"'));
  if (runnable.length < 30)
    await check("at least 30 pages have Run buttons", () => fail(`only ${runnable.length} have`));
  for (const { path } of runnable) await checkRuns(path);
  await checkEdit();
  await checkDemos();
  for (const colorScheme of ["light", "dark"])
    for (const screen of Object.keys(SCREENS)) await checkLook(screen, colorScheme);
} finally {
  await browser.close();
  site.close();
}
finishChecks();

function fail(message) {
  throw new Error(message);
}

/** A page of the site; what its console complains about makes `close` throw. */
async function open(path, options = {}) {
  const context = await browser.newContext({ reducedMotion: "reduce", viewport: SCREENS.desktop, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => request.url().startsWith(new URL(site.url).origin) || complaints.push(request.url()));
  await page.goto(`${site.url}${path}`, { waitUntil: "load" });
  if (!path.startsWith("demo/")) await page.waitForFunction(() => document.querySelector("#app").__vue_app__);
  const close = async () => {
    await context.close();
    const real = complaints.filter((text) => !/^(data|blob):/.test(text));
    if (real.length > 0) fail(real.join("\n"));
  };
  return { page, close };
}

async function checkSearch() {
  await check("search finds a guide page and a function", async () => {
    const { page, close } = await open("start");
    for (const [words, target] of [
      ["completion", "cli"],
      ["saveClassifier", "saveClassifier"],
    ]) {
      await page.locator("#local-search button").first().click();
      await page.locator("#localsearch-input").fill(words);
      await page.locator(`#localsearch-list a[href*="${target}"]`).first().waitFor();
      await page.keyboard.press("Escape");
    }
    await close();
  });
}

/** Every block runs; a line `expression; // → value` shows that value. */
async function checkRuns(path) {
  await check(`the examples of ${path} run`, async () => {
    const { page, close } = await open(path);
    const blocks = page.locator(".runnable");
    for (let i = 0; i < (await blocks.count()); i++) {
      const block = blocks.nth(i);
      await block.locator(".run").click();
      await page.waitForFunction(
        (at) => /done|failed/.test(document.querySelectorAll(".runnable")[at].dataset.state),
        i,
      );
      const shown = await block.locator(".run-output").innerText();
      if ((await block.getAttribute("data-state")) === "failed") fail(shown);
      compare(await block.locator("pre code").innerText(), shown);
    }
    await close();
  });
}

function compare(code, shown) {
  const wanted = [...code.matchAll(/^.*; *\/\/ → (.*)$/gm)].map(([, value]) => normalise(value));
  let rest = normalise(shown);
  for (const value of wanted) {
    const place = value.split("…").every((part) => rest.includes(part)) ? rest.indexOf(value.split("…")[0]) : -1;
    if (place < 0) fail(`${value} is not in ${shown}`);
    rest = rest.slice(place + 1);
  }
}

function normalise(text) {
  return text
    .replace(/\b\w*Array(\(\d+\))?\s*(?=\[)/g, "")
    .replace(/\s+/g, "")
    .replace(/['`]/g, '"');
}

async function checkEdit() {
  await check("code can be edited; an error is shown where it happens", async () => {
    const { page, close } = await open("start");
    const block = page.locator(".runnable").first();
    const code = block.locator("pre code");
    await code.click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText('import { fit } from "bonmf";\n(await fit([[1, 0], [0, 1]], { k: 2 })).k;');
    await page.keyboard.press("ControlOrMeta+Enter");
    await block.locator("samp", { hasText: /^2$/ }).waitFor();
    await code.click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText('import { fit } from "bonmf";\nawait fit([[1, -1]], { k: 1, method: "nmf" });');
    await block.locator(".run").click();
    await block.locator(".wrong", { hasText: "DataError" }).waitFor();
    await close();
  });
}

async function checkDemos() {
  await check("the studio fits its example", async () => {
    const { page, close } = await open("studio");
    const studio = page.frameLocator(".demo iframe");
    await page.locator(".demo iframe").scrollIntoViewIfNeeded();
    await studio.locator(".examples button").first().click();
    await studio.getByRole("button", { name: "Fit", exact: true }).click();
    await studio
      .getByText(/iterations/)
      .first()
      .waitFor();
    await close();
  });
  await check("the report shows its clusters", async () => {
    const { page, close } = await open("report");
    await page.locator(".demo iframe").scrollIntoViewIfNeeded();
    await page.frameLocator(".demo iframe").getByText(/5,000/).first().waitFor();
    await close();
  });
  await check("the browser example clusters and takes clicks", async () => {
    const { page, close } = await open("demo/browser.html");
    await page.getByText(/^60 points/).waitFor();
    await page.locator("#plot").click();
    await page.getByText(/^61 points/).waitFor();
    await close();
  });
}

async function checkLook(screen, colorScheme) {
  for (const path of SHOWN) {
    await check(`/${path} on a ${screen}, ${colorScheme}: nothing overflows`, async () => {
      const { page, close } = await open(path, { viewport: SCREENS[screen], colorScheme });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (shots) {
        const name = `${path.replaceAll("/", "-") || "home"}-${screen}-${colorScheme}.png`;
        await page.screenshot({ path: join(shots, name) });
      }
      if (width > SCREENS[screen].width) fail(`it is ${width} pixels wide`);
      if (path === "") await checkHero(page);
      await close();
    });
  }
}

async function checkHero(page) {
  const [image, name] = await Promise.all(
    [".image-src", ".VPHero .name"].map((each) => page.locator(each).boundingBox()),
  );
  const nav = await page.locator(".VPNavBar").boundingBox();
  if (image.y < nav.y + nav.height) fail("the picture covers the navigation");
  if (image.x < name.x + name.width && image.x + image.width > name.x && image.y + image.height > name.y)
    fail("the picture covers the title");
}
