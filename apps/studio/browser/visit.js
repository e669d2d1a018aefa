// A visitor: a page of the studio, and what people do there.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { readClusters } from "./stage.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @param complaints where errors of the page go */
export async function visit(browser, url, complaints, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    acceptDownloads: true,
    ...options,
  });
  return enter(context, url, complaints);
}

async function enter(context, url, complaints) {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => {
    const { errorText } = request.failure();
    // The page was left, or ended a worker, before it had loaded.
    if (errorText !== "net::ERR_ABORTED") complaints.push(`${request.url()}: ${errorText}`);
  });
  await page.goto(url);
  return new Visit(page, complaints);
}

class Visit {
  constructor(page, complaints) {
    this.page = page;
    this.complaints = complaints;
  }

  /** Another tab of the same browser. */
  again(url) {
    return enter(this.page.context(), url, this.complaints);
  }

  button(name) {
    return this.page.getByRole("button", { name, exact: typeof name === "string" });
  }

  async open(...paths) {
    await this.page.locator('input[type="file"]').first().setInputFiles(paths);
    await this.ready();
  }

  /** Drops a file onto the page. */
  async drop(name, content) {
    const data = await this.page.evaluateHandle(
      ([name, content]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], name));
        return transfer;
      },
      [name, content],
    );
    await this.page.dispatchEvent("body", "drop", { dataTransfer: data });
  }

  /** Waits until the data is taken. */
  async ready() {
    await this.page.locator(".settings").waitFor();
    await this.idle();
  }

  async idle() {
    await this.page.locator(".busy:not(.on)").waitFor({ state: "attached" });
  }

  async leave() {
    await this.button("Open another").click();
    await this.page.locator(".drop").waitFor();
  }

  async set(settings) {
    for (const [id, value] of Object.entries(settings)) {
      const field = this.page.locator(`#${id}`);
      if ((await field.evaluate((element) => element.tagName)) === "SELECT") await field.selectOption(String(value));
      else {
        await field.fill(String(value));
        await field.blur();
      }
      await this.idle();
    }
  }

  /** More settings are folded away. */
  async more() {
    const details = this.page.locator(".settings details");
    if ((await details.getAttribute("open")) === null) await details.locator("summary").click();
  }

  async fit() {
    await this.button("Fit").click();
    await this.found();
  }

  async found() {
    await this.page.locator(".bonmf-cards").waitFor({ timeout: 300_000 });
    await this.idle();
  }

  async tab(name) {
    await this.page.getByRole("navigation", { name: "Views" }).getByRole("button", { name }).click();
  }

  /** The row of a cluster in the list beside the map. */
  row(cluster) {
    return this.page.locator(`.cluster-row:has([data-cluster="${cluster}"])`);
  }

  async rename(cluster, name) {
    await this.page.locator(`[data-cluster="${cluster}"]`).press("F2");
    await this.page.locator(".row-rename input").fill(name);
    await this.page.keyboard.press("Enter");
    await this.idle();
  }

  /** By keyboard. */
  async merge(one, other) {
    await this.page.locator(`[data-cluster="${one}"]`).press("m");
    await this.page.locator(`[data-cluster="${other}"]`).press("Enter");
    await this.idle();
  }

  /** Presses a button that saves something, and returns its bytes. */
  async save(name) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.button(name).click()]);
    const bytes = readFileSync(await download.path());
    await this.idle();
    return bytes;
  }

  /** The cluster of each sample, as exported. */
  async clusters() {
    await this.tab("Export");
    const text = (await this.save("Save the assignments")).toString();
    return readClusters(text);
  }

  /** What axe finds wrong with the page as it is now. */
  async audit() {
    await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate(() => globalThis.axe.run());
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html.slice(0, 120))
          .slice(0, 2)
          .join(" | ")}`,
    );
  }
}
