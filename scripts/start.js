// The main job on a small real default: cluster handwritten digits, classify others, and write the page that shows it.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { accuracy, classifier, classReport, clusteringAccuracy, fit, nmi } from "../packages/bonmf/dist/bonmf.js";
import { collectFindings, measureReference, renderPage } from "../packages/report/dist/index.js";
import { loadDigits, SIDE } from "./digits.js";

const K = 10;
const SEED = 7;
const SHADES = " ░▒▓█";
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(2)} s`;

const train = loadDigits(0, 5000);
const test = loadDigits(5000, 6000);
console.log(`bonmf: ${train.X.samples} handwritten digits of ${SIDE} × ${SIDE} pixels → ${K} clusters\n`);

let began = performance.now();
const watched = process.stderr.isTTY;
const model = await fit(train.X, {
  k: K,
  seed: SEED,
  onStep: ({ iteration, changed }) => {
    if (watched) process.stderr.write(`\r  iteration ${iteration}, ${changed} digits changed cluster \x1b[K`);
  },
});
if (watched) process.stderr.write("\r\x1b[K");
const fitTime = seconds(began);

const members = Array.from({ length: K }, () => new Array(10).fill(0));
model.labels.forEach((cluster, i) => {
  members[cluster][train.labels[i]]++;
});
const clusters = members.map((digits, j) => ({ j, size: model.counts[j], digit: digits.indexOf(Math.max(...digits)) }));
clusters.sort((a, b) => a.digit - b.digit || b.size - a.size);
for (let at = 0; at < K; at += 5) drawRow(clusters.slice(at, at + 5));

const { history } = model;
console.log(
  `clusters   ${percent(clusteringAccuracy(train.labels, model.labels))} of the digits in the cluster matched to them (NMI ${nmi(train.labels, model.labels).toFixed(3)})`,
);
console.log(`objective  J = Σ‖s_j‖ rose from ${history[0].potential.toFixed(0)} to ${model.potential.toFixed(0)}`);
console.log(`fit        ${model.iterations} iterations to a ${model.stopped.replace("-", " ")}, ${fitTime}`);

began = performance.now();
const clf = await classifier(model, train.X, train.labels, { scheme: "vote", neighbors: 5 });
const predicted = clf.predict(test.X);
const { majority } = classReport(test.labels, predicted);
console.log(
  `classify   ${percent(accuracy(test.labels, predicted))} of ${test.X.samples} other digits right by a vote of 5 neighbours, ${seconds(began)}; ` +
    `always saying ${majority.label} would get ${percent(majority.share)}`,
);
const [why] = clf.explain(test.X.slice(0, 1));
console.log(
  `           the first is a ${why.label}: cluster ${why.cluster}, cosine ${why.cosine.toFixed(3)} ` +
    `to its prototype, ${percent(why.share)} of the votes`,
);
const page = await writeReport();
console.log(`report     ${pathToFileURL(page)}
           open it in a browser: clusters, typical and borderline digits, a map, the confusion matrix

Next:
  npx bonmf studio   the same in a browser, live, with your own files
  npx bonmf --help   the command: CSV, Parquet, pictures, text …
  docs/cli.md        five minutes with it
  README.md          the library
  npm test           every promise, checked`);

/** Written to a folder that git ignores, atomically. */
async function writeReport() {
  const recipe = { image: { width: SIDE, height: SIDE } };
  const source = "handwritten digits (MNIST)";
  const { X, labels } = train;
  const reference = await measureReference(model, X);
  const findings = await collectFindings(model, { X, labels, recipe, source, reference });
  const path = fileURLToPath(new URL("../out/digits.html", import.meta.url));
  mkdirSync(new URL("../out/", import.meta.url), { recursive: true });
  writeFileSync(`${path}.draft`, await renderPage(findings));
  renameSync(`${path}.draft`, path);
  return path;
}

/** Prototypes side by side, each pixel pair a shade. */
function drawRow(row) {
  const pictures = row.map(({ j }) => {
    const w = model.W.row(j);
    const most = Math.max(...w);
    return (x, y) => {
      let sum = 0;
      for (let dy = 0; dy < 4; dy++) for (let dx = 0; dx < 2; dx++) sum += w[(4 * y + dy) * SIDE + 2 * x + dx];
      return SHADES[Math.min(SHADES.length - 1, Math.floor((sum / 8 / most) * SHADES.length * 1.3))];
    };
  });
  for (let y = 0; y < SIDE / 4; y++) {
    console.log(pictures.map((at) => Array.from({ length: SIDE / 2 }, (_, x) => at(x, y)).join("")).join("  "));
  }
  console.log(row.map(({ digit, size }) => `mostly ${digit}, ${size}`.padEnd(SIDE / 2)).join("  "));
  console.log();
}
