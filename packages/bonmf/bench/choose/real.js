// The labelled sets of the data folder (BONMF_DATA_DIR), and how a user would fit each.
import { loadFolder } from "../data/real.js";
import { Dense, Sparse } from "../library.js";

const auto = { scale: "auto" };
const SETS = [
  { name: "banking", path: "banking/banking.csv.gz" },
  { name: "bbc", path: "bbc/bbc.svm.gz", features: 2949, options: { scale: "tfidf" } },
  { name: "diabetes", path: "diabetes/diabetes.csv.gz" },
  { name: "letter", path: "letter/letter.csv.gz" },
  { name: "mnist10k", path: "mnist10k/mnist10k.csv.gz" },
  { name: "monks-1", path: "monkey/monks-1.csv.gz" },
  { name: "mushrooms", path: "mushrooms/mushrooms.svm.gz", features: 112 },
  { name: "optdigits", path: "optdigits/optdigits.csv.gz" },
  { name: "orl", path: "orl/orl.csv.gz" },
  { name: "pendigits", path: "pendigits/pendigits.csv.gz" },
  { name: "phishing", path: "phishing/phishing.svm.gz", features: 68 },
  { name: "r8", path: "r8/r8.svm.gz", features: 6173, options: { scale: "tfidf" } },
  { name: "segment", path: "segment/segment.csv.gz" },
  { name: "svmguide", path: "svmguide/svmguide1.svm.gz", features: 4 },
  { name: "usps", path: "usps/usps.csv.gz" },
  { name: "w8a", path: "w8a/w8a.svm.gz", features: 300 },
];

/** Those that are there: name, samples, number of classes, options. */
export function* readReal() {
  for (const { name, path, features, options = auto } of SETS) {
    const set = loadFolder(path, features);
    if (set === null) continue;
    const { kind, samples, labels } = set;
    const X =
      kind === "dense"
        ? new Dense(samples, set.features, set.data)
        : new Sparse(samples, set.features, set.offsets, set.indices, set.values);
    yield { name, X, classes: new Set(labels).size, options };
  }
}
