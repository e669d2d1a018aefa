// Hostile names as columns, classes, ids and clusters: shown and exported as they are, and nothing runs.
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
}
