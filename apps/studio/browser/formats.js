// Every kind of file, opened by the picker; clusters are compared with the command's.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { check } from "../../../scripts/checks.js";
import { bonmf, equal, folder, holds, readClusters } from "./stage.js";
import { visit } from "./visit.js";

export async function checkFormats(browser, url, complaints, dataDir) {
  const me = await visit(browser, url, complaints);
  const source = (path) => join(dataDir, path);
  const plain = (path, name) => {
    const out = join(folder, name);
    writeFileSync(out, gunzipSync(readFileSync(source(path))));
    return out;
  };
  const convert = (from, name, ...options) => {
    const out = join(folder, name);
    bonmf("convert", from, out, ...options, "--quiet");
    return out;
  };
  const pendigits = source("pendigits/pendigits.csv.gz");
  const phishing = source("phishing/phishing.svm.gz");
  const comma = plain("diabetes/diabetes.csv.gz", "diabetes.csv");
  const tab = join(folder, "diabetes.tsv");
  writeFileSync(tab, readFileSync(comma, "utf8").replaceAll(",", "\t"));
  const text = join(folder, "news.txt");
  const news = gunzipSync(readFileSync(source("bbc/bbc-docs.csv.gz"))).toString();
  writeFileSync(
    text,
    `${news
      .split("\n")
      .slice(1, 301)
      .map((line) => line.replace(/,\w+$/, ""))
      .join("\n")}\n`,
  );

  const labelled = ["--label", "class"];
  const cases = [
    ["csv", comma, 3],
    ["tsv", tab, 3],
    ["json lines", convert(comma, "diabetes.jsonl", ...labelled), 3],
    ["parquet", convert(pendigits, "pendigits.parquet", ...labelled), 10],
    ["libsvm", phishing, 4],
    ["npy", convert(pendigits, "pendigits.npy", ...labelled), 10],
    ["text", text, 5, "topics"],
    ["a column of texts", source("bbc/bbc-docs.csv.gz"), 5, "topics"],
    ["negative numbers", source("segment/segment.csv.gz"), 7],
    ["an index, categories, decimal commas and missing values", writeMixed(), 3],
  ];
  for (const [kind, file, k, command = "fit"] of cases) {
    await check(`${kind}: the same clusters as the command's`, async () => {
      await me.open(file);
      await me.set({ k });
      await me.fit();
      // Names of topics have commas.
      const clusters = join(folder, "clusters.jsonl");
      bonmf(command, file, "--k", String(k), "--assignments", clusters, "--quiet");
      const lines = readFileSync(clusters, "utf8").trimEnd().split("\n");
      equal(
        await me.clusters(),
        lines.map((line) => JSON.parse(line).cluster),
        "clusters",
      );
      if (kind === "a column of texts") await classifyText(me);
      if (kind === "csv") await classifyValues(me);
      await me.leave();
    });
  }
  await check("a folder of pictures, by its classes", () => openPictures(me));
  await check("what cannot be read is said so", async () => {
    const zip = join(folder, "sheet.xlsx");
    writeFileSync(zip, "PK\x03\x04 and so on");
    await me.page.locator('input[type="file"]').first().setInputFiles(zip);
    await me.page.getByRole("alert").getByText("save the sheet as CSV").waitFor();
  });
  await me.page.context().close();
}

/** A table as people have it. */
function writeMixed() {
  const path = join(folder, "mixed.csv");
  const lines = Array.from({ length: 240 }, (_, i) => {
    const kind = i % 3;
    const length = i % 50 === 7 ? "NA" : `${10 + 5 * kind},${(i * 7) % 10}`;
    return [
      i,
      `tool ${i}`,
      length,
      1000 * (1 + ((kind * 2) % 3)) + ((i * 37) % 200),
      ["red", "blue"][(i >> 3) % 2],
      kind,
    ];
  });
  writeFileSync(
    path,
    [["", "name", "length", "mass", "colour", "class"], ...lines].map((line) => `${line.join(";")}\n`).join(""),
  );
  return path;
}

async function classifyText(me) {
  await me.tab("Classify");
  await me.page.locator("#text").fill("The striker scored twice and the coach praised the team after the match");
  await me.button("Classify").last().click();
  equal(await me.page.locator(".answer .big strong").textContent(), "sport", "class of the text");
  await me.page.locator(".reasons li").first().waitFor();
}

async function classifyValues(me) {
  await me.tab("Classify");
  await me.page.locator("#f1").fill("190");
  await me.button("Classify").last().click();
  await me.page.locator(".answer .reasons li").first().waitFor();
}

/** The line that is shown finds the same clusters, in the folder above. */
async function repeatCommand(me) {
  const clusters = await me.clusters();
  const line = await me.page.locator(".snippet pre").first().textContent();
  equal(line, "bonmf fit shapes --k 2 --out model.safetensors --assignments clusters.csv", "the command");
  const [, command, name, ...options] = line.split(" ");
  const csv = join(folder, "repeated.csv");
  bonmf(command, join(folder, name), ...options.slice(0, 2), "--assignments", csv, "--quiet");
  const theirs = readClusters(readFileSync(csv, "utf8"));
  const pairs = new Set(theirs.map((cluster, i) => `${cluster} ${clusters[i]}`));
  equal([theirs.length, pairs.size], [24, 2], "samples, and pairs of clusters");
}

async function openPictures(me) {
  const sharp = createRequire(new URL("../../cli/package.json", import.meta.url))("sharp");
  const root = join(folder, "shapes");
  const paths = [];
  for (const [kind, svg] of [
    ["disc", (i) => `<circle cx="${15 + (i % 3)}" cy="16" r="9"/>`],
    ["bar", (i) => `<rect x="${12 + (i % 4)}" y="3" width="6" height="26"/>`],
  ]) {
    mkdirSync(join(root, kind), { recursive: true });
    for (let i = 0; i < 12; i++) {
      const path = join(root, kind, `${i}.png`);
      const frame = 'xmlns="http://www.w3.org/2000/svg" width="32" height="32"';
      const picture = `<svg ${frame}><rect width="32" height="32"/><g fill="#fff">${svg(i)}</g></svg>`;
      await sharp(Buffer.from(picture)).png().toFile(path);
      paths.push(path);
    }
  }
  writeFileSync(join(root, "bar", "torn.png"), "no picture");
  await me.page.locator('input[type="file"]').nth(1).setInputFiles(root);
  await me.ready();
  await me.page.getByText("24 samples · 1,024 features · 2 classes").waitFor();
  equal(await me.page.locator(".pictures canvas").count(), 24, "pictures");
  await me.page.getByText("1 file that could not be read").click();
  await me.page.locator(".broken").getByText("shapes/bar/torn.png").waitFor();
  await me.fit();
  await repeatCommand(me);
  const clusters = await me.clusters();
  holds(new Set(clusters.slice(0, 12)).size === 1 && new Set(clusters).size === 2, `clusters are ${clusters}`);
  await me.leave();
}
