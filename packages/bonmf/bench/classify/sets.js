// The labelled sets of the benchmark: those of BONMF_DATA_DIR, and four that scikit-learn brings along.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readCsv, readLibsvm } from "../../dist/bonmf.js";
import { runPython } from "./peers.js";

const FILES = {
  orl: { path: "orl/orl.csv.gz" },
  optdigits: { path: "optdigits/optdigits.csv.gz" },
  phishing: { path: "phishing/phishing.svm.gz" },
  "monks-1": { path: "monkey/monks-1.csv.gz" },
  "monks-2": { path: "monkey/monks-2.csv.gz" },
  "monks-3": { path: "monkey/monks-3.csv.gz" },
  pendigits: { path: "pendigits/pendigits.csv.gz" },
  diabetes: { path: "diabetes/diabetes.csv.gz" },
  w8a: { path: "w8a/w8a.svm.gz" },
  banking: { path: "banking/banking.csv.gz" },
  svmguide1: { path: "svmguide/svmguide1.svm.gz" },
  segment: { path: "segment/segment.csv.gz" },
  letter: { path: "letter/letter.csv.gz" },
  mushrooms: { path: "mushrooms/mushrooms.svm.gz" },
  usps: { path: "usps/usps.csv.gz" },
  mnist10k: { path: "mnist10k/mnist10k.csv.gz" },
  bbc: { path: "bbc/bbc.svm.gz", text: true },
  r8: { path: "r8/r8.svm.gz", text: true },
};
const BUNDLED = ["iris", "wine", "breast_cancer", "digits"];

/** Names of all sets that are there. */
export function listSets() {
  const folder = process.env.BONMF_DATA_DIR;
  const found = Object.keys(FILES).filter((name) => folder && existsSync(join(folder, FILES[name].path)));
  return [...BUNDLED, ...found];
}

/** { X, y, text }: samples, class numbers, and whether they are word counts. `folder` is for files of scikit-learn's sets. */
export function readSet(name, python, folder) {
  const file = BUNDLED.includes(name) ? exportBundled(name, python, folder) : null;
  const path = file ?? join(process.env.BONMF_DATA_DIR, FILES[name].path);
  const bytes = path.endsWith(".gz") ? gunzipSync(readFileSync(path)) : readFileSync(path);
  const table = path.includes(".csv") ? readCsv(bytes, { name, label: "class" }) : readLibsvm(bytes, { name });
  const classes = [...new Set(table.labels)].sort();
  return {
    X: table.X,
    y: Uint32Array.from(table.labels, (label) => classes.indexOf(label)),
    text: FILES[name]?.text ?? false,
  };
}

function exportBundled(name, python, folder) {
  const path = join(folder, `${name}.csv`);
  runPython(python, "export", name, path);
  return path;
}
