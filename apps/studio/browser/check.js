// Every flow of the studio in a real browser, on real files, through `bonmf studio`; results are compared with the
// command's. node apps/studio/browser/check.js [FOLDER] keeps screenshots in FOLDER.
//
// PLAYWRIGHT_CORE: a folder whose node_modules holds playwright-core, which is no dependency of this repository.
// CHROMIUM_PATH:   the browser, when it is not on PATH.
// BONMF_DATA_DIR:  the datasets; generated ones without it.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { check, finishChecks } from "../../../scripts/checks.js";
import { provideTestData } from "../../../scripts/testdata.js";
import { checkExploring } from "./explore.js";
import { checkFormats } from "./formats.js";
import { checkKeyboard } from "./keyboard.js";
import { checkMap, checkPlainMap } from "./map.js";
import { checkNames } from "./names.js";
import { checkProjects } from "./projects.js";
import { checkScale } from "./scale.js";
import { checkServer } from "./server.js";
import { bonmf, equal, folder, holds, launch, serve, until } from "./stage.js";
import { visit } from "./visit.js";

const { folder: dataDir } = provideTestData();
const [shots] = process.argv.slice(2);
if (shots) mkdirSync(shots, { recursive: true });

const digits = join(dataDir, "optdigits/optdigits.csv.gz");
const { loadModel } = await import("bonmf");
const complaints = [];
const browser = await launch();
const studio = await serve(digits);
try {
  await checkServer(studio.url);
  const me = await visit(browser, studio.url, complaints);
  await checkMain(me);
  await checkExplore(me);
  await checkMore(me);
  await checkProjects(browser, studio, complaints, shoot, (port) => serve(digits, "--port", port));
  await checkKeyboard(browser, studio.url.replace(/#.*/, ""), complaints, shoot);
  await checkExploring(browser, studio.url.replace(/#.*/, ""), complaints, shoot);
  await checkFormats(browser, studio.url.replace(/#.*/, ""), complaints, dataDir);
  await checkNames(browser, studio.url.replace(/#.*/, ""), complaints);
  await checkMap(browser, studio.url.replace(/#.*/, ""), complaints, shoot);
  await checkScale(browser, studio.url.replace(/#.*/, ""), complaints);
  await checkLook();
  await checkWithoutGraphics();
} finally {
  await browser.close();
  await check("Ctrl-C ends it", async () => equal(await studio.end(), 0, "exit code"));
}
await check("no errors in the browser's console", async () => equal(complaints, [], "complaints"));
finishChecks();

async function shoot(me, name) {
  if (shots) await me.page.screenshot({ path: join(shots, `${name}.png`) });
}

/** Open, look, fit, export: the same as the command's. */
async function checkMain(me) {
  await check("a file handed over is there, with its label and as pictures", async () => {
    await me.ready();
    await me.page.getByText("5,620 rows, 65 columns · 64 features · 10 classes").waitFor();
    equal(await me.page.locator("#label").inputValue(), "class", "label");
    holds((await me.page.locator(".pictures canvas").count()) === 40, "forty pictures");
    await shoot(me, "data");
  });
  await check("a fit can be watched, paused and continued, and ends as the command's", async () => {
    await me.set({ k: 10 });
    await me.button("Fit").click();
    await me.page.getByText(/Fitting · iteration \d+/).waitFor();
    await me.button("Pause").click();
    await me.button("Continue").waitFor();
    await me.page.getByText(/Paused · iteration \d+/).waitFor();
    holds((await me.page.locator(".live-prototypes canvas").count()) === 10, "ten prototypes");
    await shoot(me, "live");
    await me.button("Continue").click();
    await me.found();
    await shoot(me, "fit");
    await compareWithCommand(me, digits, ["--k", "10"]);
  });
  await check("the wheel scrolls the page until the map is clicked", async () => {
    await me.tab("Clusters");
    const map = me.page.locator(".hands");
    await map.scrollIntoViewIfNeeded();
    const scrolled = () => me.page.evaluate(() => document.scrollingElement.scrollTop);
    const wheel = async () => {
      const { x, y } = await map.boundingBox();
      await me.page.mouse.move(x + 60, y + 60);
      await me.page.mouse.wheel(0, 40);
    };
    const before = await scrolled();
    await wheel();
    await until(async () => equal(await scrolled(), before + 40, "scrolled"));
    await map.click({ position: { x: 4, y: 4 } });
    const place = () => me.page.locator(".overlay .contours").getAttribute("transform");
    const whole = await place();
    await wheel();
    await until(async () => holds((await place()) !== whole, "the map stays"));
    equal(await scrolled(), before + 40, "scrolled once it was clicked");
    await me.button("Whole map").click();
  });
  await check("a fit can be cancelled", async () => {
    await me.button("Fit").click();
    await me.button("Cancel").click();
    await me.button("Fit").waitFor();
    equal(await me.page.locator(".runs li").count(), 1, "runs");
  });
  await check("the report is one page that draws itself", async () => {
    const titles = Array.from({ length: 10 }, (_, j) => `Cluster ${j}`);
    equal(await readReport(me, ".bonmf-card h3"), titles, "cards");
  });
  await check("the lines to repeat it are there", async () => {
    const code = await me.page.locator(".snippet pre").allTextContents();
    holds(code[0].startsWith("bonmf fit optdigits.csv.gz --k 10 --out model.safetensors"), code[0]);
    holds(code[1].includes("k: 10"), code[1]);
    await shoot(me, "export");
  });
}

/** Saves the report and opens it: the texts of what the selector finds there. */
async function readReport(me, selector) {
  await me.tab("Export");
  const html = (await me.save("Save the report")).toString();
  const page = await (await browser.newContext()).newPage();
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.setContent(html);
  await page.locator(".bonmf-card").first().waitFor();
  const texts = await page.locator(selector).allTextContents();
  await page.context().close();
  return texts;
}

/** Labels, prototypes and objective, to the bit. */
async function compareWithCommand(me, file, options) {
  const [model, clusters] = [join(folder, "command.safetensors"), join(folder, "command.csv")];
  bonmf("fit", file, ...options, "--out", model, "--assignments", clusters, "--quiet");
  const { readFileSync } = await import("node:fs");
  const theirs = loadModel(readFileSync(model), model);
  await me.tab("Export");
  const ours = loadModel(await me.save("Save the model"), "the studio's");
  equal(ours.potential, theirs.potential, "potential");
  holds(Buffer.from(ours.W.data.buffer).equals(Buffer.from(theirs.W.data.buffer)), "prototypes differ");
  equal(Array.from(ours.labels), Array.from(theirs.labels), "labels");
  equal(ours.tags.recipe, theirs.tags.recipe, "recipe");
  equal((await me.save("Save the assignments")).toString(), readFileSync(clusters, "utf8"), "assignments");
}

async function checkExplore(me) {
  await check("a cluster leads to its samples, a sample to its reasons", async () => {
    await me.tab("Clusters");
    await me.page.locator(".bonmf-card h3 button").nth(3).click();
    const size = /^([\d,]+) samples$/.exec(await me.page.getByText(/^[\d,]+ samples$/).textContent())?.[1];
    holds(size !== undefined && size !== "5,620", `all ${size} are shown`);
    await me.page.locator(".tile").nth(2).click();
    await me.page.locator(".detail").getByText("Cosine to its prototype").waitFor();
    equal(await me.page.locator(".detail .beside canvas").count(), 3, "pictures of the sample and two prototypes");
    await shoot(me, "samples");
  });
  await check("a cell of the confusion matrix leads to its samples", async () => {
    await me.tab("Agreement");
    await shoot(me, "agreement");
    const cell = me.page.locator(".bonmf-matrix td button").first();
    const wanted = (await cell.textContent())?.trim();
    await cell.click();
    await me.page.getByText(new RegExp(`^${wanted} samples?$`)).waitFor();
  });
  await check("samples can be filtered and searched", async () => {
    await me.set({ "in-group": "", "in-class": "7" });
    await me.page.getByText("566 samples", { exact: true }).waitFor();
    await me.set({ "in-class": "", find: "sample 5620" });
    await me.page.getByText("1 sample", { exact: true }).waitFor();
    await me.set({ find: "nothing like it" });
    await me.page.getByText("No sample is like that").waitFor();
    await me.set({ find: "" });
  });
  await check("clusters can be named and merged, and a reload loses nothing", async () => {
    await me.tab("Clusters");
    await me.rename(2, "my favourite");
    await me.page.locator(".bonmf-card h3", { hasText: "my favourite" }).waitFor();
    await me.row(5).dragTo(me.row(4));
    await me.page.waitForFunction(() => document.querySelectorAll(".bonmf-card").length === 9);
    await me.page.getByText("10 clusters by bonmf, merged into 9").first().waitFor();
    const titles = await me.page.locator(".bonmf-card h3").allTextContents();
    equal(titles[5], "Cluster 6", "the number of a cluster after the merged ones");
    await me.page.reload();
    await me.found();
    equal(await me.page.locator(".bonmf-card").count(), 9, "cards after the reload");
    await me.page.locator(".bonmf-card h3", { hasText: "my favourite" }).waitFor();
    equal(await me.page.locator("#k").inputValue(), "10", "k after the reload");
    await me.tab("Export");
    const lines = (await me.save("Save the assignments")).toString().split("\n");
    holds(lines[0].endsWith(",class,cluster,name,cosine,margin"), `the header is ${lines[0]}`);
    holds(
      lines.some((line) => line.includes(",2,my favourite,")),
      "the name is in the assignments",
    );
    equal((await readReport(me, ".bonmf-card h3"))[2], "my favourite", "the name in the report");
    holds((await readReport(me, ".bonmf-matrix thead th")).includes("my favourite"), "the name in the report's matrix");
    const { tags } = loadModel(await me.save("Save the model"), "the studio's");
    equal(JSON.parse(tags.clusterNames)[2], "my favourite", "the name in the model");
    await me.tab("Clusters");
    await me.button("Remove names and merges").click();
    await me.page.waitForFunction(() => document.querySelectorAll(".bonmf-card").length === 10);
  });
}

async function checkMore(me) {
  await check("a drawn digit is classified, with reasons", async () => {
    await me.tab("Classify");
    const box = await me.page.locator(".pad canvas").boundingBox();
    const at = (x, y) => [box.x + box.width * x, box.y + box.height * y];
    await me.page.mouse.move(...at(0.5, 0.12));
    await me.page.mouse.down();
    for (let i = 0; i <= 24; i++) {
      const turn = (2 * Math.PI * i) / 24;
      await me.page.mouse.move(...at(0.5 + 0.24 * Math.sin(turn), 0.5 - 0.38 * Math.cos(turn)));
    }
    await me.page.mouse.up();
    equal(await me.page.locator(".answer .big strong").textContent(), "0", "the drawn 0");
    await me.page.getByText("The training samples nearest to it").waitFor();
    await shoot(me, "classify");
  });
  await check("a number of clusters is recommended as by the command, and can be taken", async () => {
    await me.tab("Compare");
    await me.set({ from: 8, to: 11 });
    await me.button("Find out").click();
    await me.page.locator(".advice").waitFor({ timeout: 240_000 });
    await shoot(me, "advice");
    const theirs = JSON.parse(bonmf("choose", digits, "--k", "8-11", "--json", "--quiet"));
    equal(await me.page.locator(".advice p").first().textContent(), theirs.reason, "reason");
    await me
      .button(/^Use \d+/)
      .first()
      .click();
    const k = await me.page.locator("#k").inputValue();
    holds(Number(k) >= 8 && Number(k) <= 11, `k is ${k}`);
  });
  await check("a search can be stopped and goes on", async () => {
    await me.set({ from: "", to: "" });
    await me.button("Find out").click();
    await me.button("Stop").click();
    await me.page.getByText("it can go on").waitFor();
    await me.button("Continue").waitFor();
  });
  await check("two runs stand side by side, the second as the command's", async () => {
    await me.more();
    await me.set({ k: 12, method: "kmeans", seed: 3 });
    await me.fit();
    await compareWithCommand(me, digits, ["--k", "12", "--method", "kmeans", "--seed", "3"]);
    await me.tab("Compare");
    await me.page.locator(".bonmf-matrix tbody tr").first().waitFor();
    await me.page.getByText(/They agree with each other by ARI 0\.\d+/).waitFor();
    equal(await me.page.locator(".bonmf-matrix tbody tr").count(), 12, "rows: clusters of the right run");
    await shoot(me, "compare");
  });
}

/** Phone and desktop, light and dark, and what axe says. */
async function checkLook() {
  const looks = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } };
  for (const colorScheme of ["light", "dark"]) {
    for (const [device, viewport] of Object.entries(looks)) {
      const me = await visit(browser, studio.url.replace(/#.*/, ""), complaints, { viewport, colorScheme });
      const problems = [];
      const look = async (name) => {
        await me.page.waitForTimeout(400);
        await shoot(me, `${name}-${device}-${colorScheme}`);
        problems.push(...(await me.audit()).map((problem) => `${name}: ${problem}`));
      };
      await check(`nothing for axe to complain about, ${device}, ${colorScheme}`, async () => {
        await me.page.locator(".drop").waitFor();
        await look("start");
        await me.button(/Drinks/).click();
        await me.ready();
        await look("data");
        await me.fit();
        await look("clusters");
        for (const name of ["Samples", "Agreement", "Classify", "Compare", "Export"]) {
          await me.tab(name);
          if (name === "Compare") {
            await me.button("Find out").click();
            await me.page.locator(".advice").waitFor({ timeout: 120_000 });
          }
          if (name === "Samples") await me.page.locator(".tile").first().click();
          if (name === "Classify") await me.button("Classify").last().click();
          await look(name.toLowerCase());
        }
        const wide = await me.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) problems.push(`the page is ${wide} pixels too wide`);
        equal(problems, [], "problems");
      });
      await me.page.context().close();
    }
  }
}

async function checkWithoutGraphics() {
  const plain = await launch("none");
  try {
    await checkPlainMap(plain, studio.url.replace(/#.*/, ""), complaints, shoot);
  } finally {
    await plain.close();
  }
}
