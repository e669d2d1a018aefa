// Runs the R of docs/model-file.md on files that the library (dist, so build first) wrote about Optdigits, and compares
// what it finds with the library. Needs Rscript with the package jsonlite.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { finishChecks, report } from "../../../scripts/checks.js";
import { provideTestData } from "../../../scripts/testdata.js";
import { classifier, fit, readCsv, saveClassifier } from "../dist/bonmf.js";

const { folder: dataDir } = provideTestData();
const RUNS = [
  { method: "bonmf", k: 10 },
  { method: "spherical", k: 30 },
  { method: "kmeans", k: 300 }, // labels of two bytes
];
/** Training samples; all others are new to the model. */
const TRAINED = 4000;

const page = readFileSync(fileURLToPath(new URL("../../../docs/model-file.md", import.meta.url)), "utf8");
const lines = [...page.matchAll(/^```r\n([\s\S]*?)^```$/gm)].map(([, text]) => text).join("\n");
const folder = mkdtempSync(join(tmpdir(), "bonmf-r-"));

try {
  const path = join(dataDir, "optdigits/optdigits.csv.gz");
  const { X, labels } = readCsv(gunzipSync(readFileSync(path)), { label: "class" });
  const [old, fresh] = [X.slice(0, TRAINED), X.slice(TRAINED, X.samples)];
  for (const run of RUNS) await check(run, old, labels.slice(0, TRAINED), fresh);
} finally {
  rmSync(folder, { recursive: true });
}
finishChecks();

async function check({ method, k }, X, labels, fresh) {
  const model = await fit(X, { k, method, init: "plusplus", seed: 3, featureNames: nameFeatures(X.features) });
  const clf = await classifier(model, X, labels, { scheme: "majority" });
  writeFileSync(join(folder, "model.safetensors"), saveClassifier(clf));
  const rows = Array.from({ length: fresh.samples }, (_, i) => fresh.row(i).join());
  writeFileSync(join(folder, "samples.csv"), rows.join("\n"));
  const { status, error, stderr } = runR();
  if (error || status !== 0) {
    const why = error ? `Rscript does not run (${error.message}): install R and its package jsonlite` : stderr.trim();
    report(`${method}: the lines run`, [why]);
    return;
  }
  const read = (name) => readFileSync(join(folder, name));
  const same = (name, numbers) => read(name).equals(Buffer.from(Float64Array.from(numbers).buffer));
  compare(`${method}: W`, same("W", model.W.data));
  compare(`${method}: the labels of ${X.samples} samples in ${k} clusters`, same("labels", model.labels));
  compare(`${method}: the clusters of ${fresh.samples} new samples`, same("clusters", model.predict(fresh)));
  compare(`${method}: their classes`, read("answers").toString() === clf.predict(fresh).join("\n"));
  compare(`${method}: names`, read("names").toString() === model.featureNames.join("\n"));
}

function compare(title, equal) {
  report(title, equal ? [] : ["it differs"]);
}

/** The page's lines with our samples, and what they found as bytes. */
function runR() {
  const script = `${lines.replace(/^X <- .*$/m, 'X <- as.matrix(read.csv("samples.csv", header = FALSE))')}
writeBin(as.double(t(W)), "W")
writeBin(labels - 1, "labels")
writeBin(clusters - 1, "clusters")
writeBin(charToRaw(paste(answers, collapse = "\\n")), "answers")
writeBin(charToRaw(enc2utf8(paste(model$featureNames, collapse = "\\n"))), "names")
`;
  writeFileSync(join(folder, "script.R"), script);
  return spawnSync("Rscript", ["--vanilla", "script.R"], { cwd: folder, encoding: "utf8" });
}

function nameFeatures(m) {
  return Array.from({ length: m }, (_, f) => `pixel ${f}, ${["länge", '"', "\\", "日本"][f % 4]}`);
}
