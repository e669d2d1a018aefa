// What is interrupted: reading files of every kind, then every command.

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {readonly string[]} files that data.js makes
 * @property {readonly string[]} line
 */

const job = (name, file, line) => ({ name, files: [file], line: line.split(" ") });
const read = (name, file, ...more) => {
  const { line, ...rest } = job(
    `reading ${name}`,
    file,
    `fit ${file} --k 3 --max-iterations 3 --restarts 1 --out out.st`,
  );
  return { ...rest, line: [...line, ...more] };
};
const SLOW = "--method onmf --max-iterations 100000";

/** Models that jobs read. */
export const PREPARE = [
  job("numbers.st", "numbers.csv", "fit numbers.csv --k 8 --max-iterations 3 --restarts 1 --out numbers.st"),
  job("classes.st", "blobs.csv", "classify blobs.csv --label class --scheme vote --k 9 --out classes.st"),
];

/** @type {readonly Job[]} */
export const JOBS = [
  read("CSV", "numbers.csv"),
  read("gzipped CSV", "numbers.csv.gz"),
  read("CSV with categories", "mixed.csv", "--missing", "mean", "--label", "class", "--exclude", "words"),
  read("a column of text", "mixed.csv", "--text", "words"),
  read("a query", "mixed.csv", "--sql", "select a, b from data where a is not null order by hash(a, b)"),
  read("JSON lines", "numbers.jsonl"),
  read("Parquet", "numbers.parquet"),
  read("Parquet with categories", "mixed.parquet", "--missing", "mean", "--exclude", "words"),
  read("Arrow", "numbers.arrow"),
  read("Arrow with categories", "mixed.arrow", "--missing", "mean"),
  read("an Excel file", "numbers.xlsx"),
  read("a zip archive", "numbers.zip"),
  read("pictures", "pictures"),
  read("texts", "lines.txt"),
  read("LIBSVM", "numbers.svm"),
  read("Matrix Market", "numbers.mtx"),
  read("ARFF", "numbers.arff"),
  read("NPY", "numbers.npy"),
  read("NPZ", "numbers.npz"),
  read("SQLite", "numbers.sqlite"),
  job("packing", "numbers.csv", "fit numbers.csv --k 3 --max-iterations 3 --restarts 1 --memory 900MB --out out.st"),
  job(
    "packing categories",
    "mixed.parquet",
    "fit mixed.parquet --k 3 --max-iterations 3 --memory 900MB --missing mean --exclude words --out out.st",
  ),
  job("a fit from disk", "numbers.csv", `fit numbers.csv --k 20 --memory 900MB ${SLOW} --out out.st`),
  job("a fit", "blobs.csv", `fit blobs.csv --label class --k 12 ${SLOW} --out out.st --assignments out.csv`),
  job(
    "the results of a fit",
    "numbers.csv",
    "fit numbers.csv --k 8 --max-iterations 3 --restarts 1 --assignments out.csv --prototypes out-w.csv --report out.html",
  ),
  job(
    "the results of a fit with classes",
    "mixed.parquet",
    "fit mixed.parquet --label class --missing mean --exclude words --k 8 --max-iterations 3 --restarts 1 --report out.html",
  ),
  job("fit --k auto", "blobs.csv", "fit blobs.csv --label class --k auto --out out.st"),
  job("choose", "blobs.csv", "choose blobs.csv --label class --report out.html"),
  job("choose from many rows", "numbers.csv", "choose numbers.csv --k 2-6"),
  job("classify, auto", "blobs.csv", "classify blobs.csv --label class --out out.st"),
  job("classify by vote", "blobs.csv", "classify blobs.csv --label class --scheme vote --k 9 --folds 5"),
  job("predict", "numbers.csv", "predict numbers.st numbers.csv --out out.parquet"),
  job("predict to CSV", "numbers.csv", "predict numbers.st numbers.csv --out out.csv"),
  job("predict by neighbours", "blobs.csv", "predict classes.st blobs.csv --why --out out.csv"),
  job("report", "numbers.csv", "report numbers.st numbers.csv -o out.html"),
  {
    ...job("a report of other samples", "others.parquet", "report numbers.st others.parquet -o out.html"),
    files: ["numbers.csv", "others.parquet"],
  },
  job("convert to Parquet", "numbers.csv", "convert numbers.csv out.parquet"),
  job("convert to LIBSVM", "numbers.csv", "convert numbers.csv out.svm.gz"),
  job("convert to NPY", "numbers.csv", "convert numbers.csv out.npy"),
  job("convert to Matrix Market", "lines.txt", "convert lines.txt out.mtx"),
  job("convert to JSON lines", "numbers.parquet", "convert numbers.parquet out.jsonl"),
  job("compare", "blobs.csv", "compare blobs.csv --label class --k 9"),
  job("compare on many rows", "numbers.csv", "compare numbers.csv --k 6 --max-iterations 10"),
];
