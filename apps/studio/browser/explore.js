// Exploring: the list of clusters beside the map, and a selection that every view shows.
import { check } from "../../../scripts/checks.js";
import { equal, holds } from "./stage.js";
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
    await me.page.getByText(/^6 clusters in 480 samples explain \d+ %.*where most have their class\.$/).waitFor();
    const map = await me.page.locator(".explore > .map").boundingBox();
    const list = await me.page.locator(".cluster-list").boundingBox();
    holds(map.height > 600 && list.height > 600, `the map is ${map.height} high, the list ${list.height}`);
    holds(list.x >= map.x + map.width, "the list is not beside the map");
    await shoot(me, "explore");
  });
  await check("the list of clusters is sorted, filtered, and walked by keys", async () => {
    await me.page.getByLabel("Find a cluster").fill("smoothie");
    equal((await listed()).length, 1, "clusters with a smoothie");
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
    equal(await me.page.locator(".chosen-note").allTextContents(), ["80 of 80 selected"], "notes on cards");
    await me.button("What they are").click();
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
  await me.page.context().close();
}
