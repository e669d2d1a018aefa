// Exploring: the list of clusters beside the map, and a selection that every view shows.
import { check } from "../../../scripts/checks.js";
import { findPrintFaults } from "../../../scripts/printed.js";
import { equal, holds, until } from "./stage.js";
import { longestTask } from "./tasks.js";
import { visit } from "./visit.js";

export async function checkExploring(browser, url, complaints, shoot) {
  const me = await visit(browser, url, complaints);
  const focused = () =>
    me.page.evaluate(() => document.activeElement.dataset.cluster ?? document.activeElement.tagName);
  const listed = () =>
    me.page
      .locator(".cluster-row [data-cluster]")
      .evaluateAll((rows) => rows.map((row) => Number(row.dataset.cluster)));
  await check("the map is as high as the window, with the clusters beside it and one sentence above", async () => {
    await me.button(/Drinks/).click();
    await me.ready();
    await me.fit();
    await me.page
      .getByText(/^480 samples in 6 clusters by bonmf of .* samples.*have the most frequent class of their cluster\.$/)
      .waitFor();
    const map = await me.page.locator(".explore > .map").boundingBox();
    const list = await me.page.locator(".cluster-list").boundingBox();
    holds(map.height > 600 && list.height > 600, `the map is ${map.height} high, the list ${list.height}`);
    holds(list.x >= map.x + map.width, "the list is not beside the map");
    await shoot(me, "explore");
  });
  await check("the list of clusters is sorted, filtered, and walked by keys", async () => {
    await me.page.getByLabel("Find a cluster").fill("smoothie");
    equal((await listed()).length, 1, "clusters with a smoothie");
    equal(await me.button("Remove names and merges").count(), 0, "buttons that take back what was not done");
    await me.page.getByLabel("Find a cluster").fill("");
    await me.page.getByLabel("Order of the clusters").selectOption("closeness");
    const sorted = await listed();
    holds(JSON.stringify(sorted) !== "[0,1,2,3,4,5]", "the order does not change");
    await me.page.getByLabel("Order of the clusters").selectOption("number");
    await me.page.locator('[data-cluster="0"]').focus();
    await me.page.keyboard.press("ArrowDown");
    equal(await focused(), "1", "after an arrow");
    await me.page.keyboard.press("End");
    equal(await focused(), "5", "after End");
    await me.page.keyboard.press("m");
    await me.page.getByText("Choose the cluster to merge Cluster 5 with").waitFor();
    await me.page.keyboard.press("Escape");
    await me.page.getByText("480 samples in all").waitFor();
  });
  await check("a cluster that is chosen is selected in every view", async () => {
    await me.page.locator('[data-cluster="2"]').press("Enter");
    await me.page.getByText("80 samples selected").waitFor();
    await me.page.locator(".chosen-note").first().waitFor();
    equal(await me.page.locator(".chosen-note").allTextContents(), ["80 of 80 selected"], "notes on cards");
    await me.button("What they are").click();
    await me.page.locator(".selection-figures .bins").first().waitFor();
    equal(await me.page.locator(".selection-figures .bins").count(), 5, "histograms");
    await shoot(me, "selection");
    equal(await me.audit(), [], "what axe says of the selection");
    await me.button("What they are").click();
    await me.button("Show them").click();
    await me.page.getByText("80 samples", { exact: true }).waitFor();
    equal(await me.page.locator(".tile:not(.chosen)").count(), 0, "rows that are not selected");
    await me.page.getByLabel("Only the selected").uncheck();
    await me.page.getByText("480 samples", { exact: true }).waitFor();
    await me.page.getByLabel("Only the selected").check();
    const lines = (await me.save("Save the selection")).toString().trimEnd().split("\n");
    equal(lines.length, 81, "lines of the saved selection");
    await me.page.getByText("80 samples saved as drinks-selection.csv.").waitFor();
    await me.button("Clear the selection").click();
    await me.page.getByText("480 samples", { exact: true }).waitFor();
  });
  await check("what a search finds can be selected, and one sample after the other", async () => {
    await me.set({ "in-class": "cola", find: "cup 1" });
    await me.button("Select these").click();
    await me.page.getByText(/samples selected \(cola, “cup 1”\)/).waitFor();
    await me.button("Clear the selection").click();
    await me.set({ "in-class": "", find: "" });
    await me.page.locator(".tile").nth(4).click();
    await me.button("Select").click();
    await me.page.getByText("1 sample selected").waitFor();
    await me.button("Clear the selection").click();
    await me.tab("Clusters");
  });
  await checkTree(me, shoot);
  await checkNew(me, shoot);
  await checkCompared(me, shoot);
  await checkMany(me, shoot);
  await checkEdits(me);
  await checkPaper(me);
  await me.page.context().close();
  await checkTheme(browser, url, complaints);
}

/** The tree of the clusters, silhouettes, and plots as files. */
async function checkTree(me, shoot) {
  await check("a cut of the tree says what would be merged, and merges it", async () => {
    await me.tab("Clusters");
    await me.page.locator(".plots").scrollIntoViewIfNeeded();
    const cut = me.page.getByLabel("Cut the tree at");
    await me.page.getByText("Nothing is merged: 6 clusters.").waitFor();
    await cut.fill("950");
    await me.page.getByText(/^At [\d.]+, 6 clusters become \d/).waitFor();
    await shoot(me, "tree");
    await me.button("Merge these").click();
    await me.page.waitForFunction(() => document.querySelectorAll(".bonmf-card").length < 6);
    await me.idle();
    await me.button("Undo").click();
    await me.page.waitForFunction(() => document.querySelectorAll(".bonmf-card").length === 6);
    await me.idle();
  });
  await check("no text of a plot lies on another", async () => {
    equal(await me.page.locator(".plots .plot-card:has(svg.bonmf-plot)").count(), 4, "plots");
    const overlaps = await me.page.evaluate(() =>
      [...document.querySelectorAll(".plots svg.bonmf-plot")].flatMap((plot) => {
        const texts = [...plot.querySelectorAll("text")].filter((text) => text.textContent.trim() !== "");
        const boxes = texts.map((text) => text.getBoundingClientRect());
        return boxes.flatMap((a, i) =>
          boxes.slice(i + 1).flatMap((b, j) => {
            const apart = a.right < b.left + 1 || b.right < a.left + 1 || a.bottom < b.top + 1 || b.bottom < a.top + 1;
            return apart ? [] : [`${texts[i].textContent} / ${texts[i + 1 + j].textContent}`];
          }),
        );
      }),
    );
    equal(overlaps, [], "texts that overlap");
  });
  await check("every plot is saved as PNG and SVG", async () => {
    const png = await me.save("PNG of Tree of the clusters");
    equal(png.subarray(1, 4).toString(), "PNG", "the first bytes");
    const svg = (await me.save("SVG of Silhouettes by cluster")).toString();
    holds(svg.startsWith("<svg") && svg.includes("silhouette") && !svg.includes("var(--"), svg.slice(0, 200));
    equal(await listUnsaved(me), [], "plots without buttons that save them");
  });
}

/** Plots that no button saves. */
function listUnsaved(me) {
  return me.page.evaluate(() =>
    [...document.querySelectorAll("svg.bonmf-plot, .bonmf-matrix, .both canvas, .bonmf-topic-grid")]
      .filter((plot) => !plot.closest("figure, .bonmf-savable")?.querySelector(".bonmf-saves"))
      .map((plot) => plot.ariaLabel ?? plot.className),
  );
}

/** New samples. */
async function checkNew(me, shoot) {
  await check("rows are pasted, typed and refused where they are wrong", async () => {
    await me.tab("Classify");
    await me.set({ row: "1 2 3" });
    await me.button("Classify the row").click();
    await me.page.getByText("It has 3 values, and 8 are needed: bitter, sweet").waitFor();
    await me.set({ row: "9 1 2 0 1 ten 8 0" });
    await me.button("Classify the row").click();
    await me.page.getByText('strong: "ten" is no number').waitFor();
    equal(await me.audit(), [], "what axe says of the refusal");
    await me.set({ row: "9 1 2 0 1 10 8 0" });
    await me.button("Classify the row").click();
    await me.page.locator(".answer .big strong", { hasText: "espresso" }).waitFor();
    equal(await me.page.locator(".near .tile").count(), 8, "neighbours");
    await shoot(me, "classified-row");
    await paste(me, { text: "9,1,2,0,1,10,8,0\n".replace("9", "0.5").replace("10", "1") });
    await me.page.locator(".answer .big strong").filter({ hasNotText: "espresso" }).waitFor();
  });
  await check("a file is classified here, and its clusters are saved", async () => {
    const lines = ["cup,bitter,sweet,sour,milky,fruity,strong,hot,fizzy", "a,9,1,2,0,1,10,8,0", "b,1,9,3,0,2,4,0,9"];
    const file = { name: "more.csv", mimeType: "text/csv", buffer: Buffer.from(`${lines.join("\n")}\n`) };
    await me.page.locator(".button.file input").setInputFiles(file);
    await me.page.getByText("2 samples of more.csv").waitFor();
    equal((await me.save("Save their clusters")).toString().split("\n").length, 4, "lines");
  });
  await check("a sample leads to its nearest neighbours, and they to theirs", async () => {
    await me.tab("Samples");
    const follow = async (tile) => {
      const name = await tile.locator("b").textContent();
      await tile.click();
      await me.page.locator(".detail h2", { hasText: new RegExp(`^${name}$`) }).waitFor();
    };
    await follow(me.page.locator(".tile").nth(1));
    await follow(me.page.locator(".detail .near .tile").first());
  });
}

/** As Ctrl+V does. */
async function paste(me, { text }) {
  await me.page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

async function checkCompared(me, shoot) {
  await check("two runs are compared by matched prototypes, moved samples and both maps", async () => {
    await me.set({ k: 7 });
    await me.fit();
    await me.tab("Compare");
    await me.page.locator(".matched li").nth(6).waitFor();
    equal(await me.page.getByText("no partner").count(), 1, "clusters without a partner");
    await me.page.locator(".moves li").first().waitFor();
    await me.page.locator(".both canvas").nth(1).waitFor();
    await shoot(me, "compared");
    const png = await me.save("PNG of Map of run 2");
    holds(png.subarray(1, 4).toString() === "PNG" && png.length > 5000, `a picture of ${png.length} bytes`);
    const svg = (await me.save("SVG of Clusters of both runs")).toString();
    holds(/<text[^>]*>80</.test(svg) && !svg.includes("oklab"), svg.slice(0, 300));
    equal(await listUnsaved(me), [], "plots without buttons that save them");
    equal(await me.audit(), [], "what axe says of the comparison");
    const wanted = await me.page.locator(".moves .bonmf-link").first().textContent();
    await me.page.locator(".moves .bonmf-link").first().click();
    await me.page.getByText(`${wanted} selected`).waitFor();
    await me.page.getByText(wanted, { exact: true }).waitFor();
    await me.button("Clear the selection").click();
  });
}

/** Work in proportion to what is on the screen. */
async function checkMany(me, shoot) {
  await check("of two hundred clusters only the cards near the screen are drawn", async () => {
    await me.set({ k: 200 });
    await me.fit();
    const list = me.page.locator(".cluster-list");
    const first = () => list.locator("[data-cluster]").first().getAttribute("data-cluster");
    equal(await list.locator("[data-cluster]").count(), 200, "rows");
    holds((await me.page.locator(".bonmf-waiting").count()) > 100, "all cards are drawn");
    await list.locator("select").selectOption("size");
    const largest = await first();
    holds(largest !== "0", "the order does not change");
    await me.rename(largest, "the largest");
    await list.locator("input[type=search]").fill("the larg");
    equal(await list.locator("[data-cluster]").count(), 1, "rows with the name");
    await list.locator("input[type=search]").fill("");
    await me.merge(largest, await list.locator("[data-cluster]").last().getAttribute("data-cluster"));
    await me.page.getByText("200 clusters by bonmf, merged into 199").first().waitFor();
    await shoot(me, "many");
    const last = me.page.locator(".bonmf-card").last();
    await last.scrollIntoViewIfNeeded();
    await last.locator(".bonmf-members").first().waitFor();
  });
}

async function checkEdits(me) {
  await check("no merge, name, undoing or redoing among two hundred clusters blocks the page for 100 ms", async () => {
    const rows = me.page.locator("[data-cluster]");
    await me.page.locator(".cluster-list").scrollIntoViewIfNeeded();
    const [one, two, three] = await rows.evaluateAll((all) => all.slice(3, 6).map(({ dataset }) => dataset.cluster));
    const longest = await longestTask(me, async () => {
      await me.rename(one, "one of many");
      await me.merge(two, three);
      for (const keys of ["Control+z", "Control+Shift+z", "Control+z"]) {
        const before = await rows.count();
        await me.page.keyboard.press(keys);
        await until(async () => holds((await rows.count()) !== before, `${keys} does nothing`));
        await me.idle();
      }
    });
    console.log(`     longest task of an edit: ${longest} ms`);
    holds(longest < 100, `a task took ${longest} ms`);
  });
}

async function checkPaper(me) {
  await check("plots that were far from the screen are drawn for paper", async () => {
    const drawn = me.page.locator(".plots .plot-card:has(svg.bonmf-plot):not(.bonmf-waiting)");
    equal(await drawn.count(), 0, "plots drawn before");
    await me.page.pdf({ format: "A4" });
    equal(await drawn.count(), 4, "plots drawn");
  });
  await check("on paper map and matrix are whole, all cards are drawn, and no tools are there", async () => {
    for (const tab of ["Agreement", "Clusters"]) {
      await me.tab(tab);
      await me.page.locator(".bonmf-matrix, .bonmf-cards").waitFor();
      equal(await findPrintFaults(me.page), [], `faults of ${tab} on paper`);
      equal(await me.page.locator(".bonmf-waiting").count(), 0, "cards that are not drawn");
      await me.page.emulateMedia({ media: "screen" });
    }
    holds((await me.page.pdf({ format: "A4" })).length > 10_000, "no pages");
  });
}

async function checkTheme(browser, url, complaints) {
  await check("the theme can be chosen, and is kept", async () => {
    const me = await visit(browser, url, complaints, { colorScheme: "light" });
    const ground = () => me.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await me.page.getByLabel("Theme").selectOption("dark");
    const dark = await ground();
    holds(light !== dark, "nothing becomes dark");
    await me.page.reload();
    await me.page.locator(".drop").waitFor();
    equal(await ground(), dark, "the ground after a reload");
    equal(await me.audit(), [], "what axe says of the dark page");
    await me.page.getByLabel("Theme").selectOption("system");
    equal(await ground(), light, "the ground as the system has it");
    await me.page.context().close();
  });
}
