import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** From the lowest up: a layer may import itself and every layer before it. */
const LAYERS = [
  "errors",
  "nearest",
  "known-options",
  "random",
  "exp",
  "steps",
  "version",
  "matrix",
  "scale",
  "kernel",
  "engine",
  "factor",
  "model",
  "worker",
  "choose",
  "map",
  "impute",
  "classify",
  "topics",
  "index",
];

/** Beside the layers: what these folders may import, and the lowest layer that may import them. */
const SIDE_FOLDERS = {
  io: { sees: ["errors", "known-options", "random", "matrix", "text"], seenFrom: "model" },
  measure: { sees: ["errors", "known-options", "random", "steps", "matrix"], seenFrom: "model" },
  text: { sees: ["errors", "known-options", "matrix", "random"], seenFrom: "model" },
};

/** The only folders that may wait for anything. */
const ASYNC = ["engine", "factor", "model", "worker", "choose", "map", "impute", "classify", "topics", "index"];

const MOST_LINES = 400;

/** What `import … from "bonmf"` offers at run time: adding to or taking from it is a decision, made here. */
const EXPORTS = [
  "AbortError",
  "BonmfError",
  "Classifier",
  "DataError",
  "Dense",
  "FormatError",
  "MemoryError",
  "Model",
  "OptionError",
  "STOP_WORDS",
  "Sparse",
  "Topics",
  "WEB_WORDS",
  "accuracy",
  "accuracyInterval",
  "allocateDense",
  "ami",
  "ari",
  "auto",
  "balancedAccuracy",
  "blendVectors",
  "brierScore",
  "calibration",
  "chooseK",
  "chooseRank",
  "chooseRestarts",
  "chooseScale",
  "chooseTopics",
  "classReport",
  "classifier",
  "clusteringAccuracy",
  "confusion",
  "countWords",
  "countWordsInThreads",
  "countedAs",
  "cv",
  "describeSegmenter",
  "diversity",
  "drawOneGroup",
  "fit",
  "fitScaler",
  "fitTransform",
  "folds",
  "holdout",
  "impute",
  "isQuantity",
  "isUnspaced",
  "linkage",
  "loadClassifier",
  "loadModel",
  "loadTopics",
  "logLoss",
  "mapSamples",
  "mapSteps",
  "matchClusters",
  "mutualInformation",
  "neighbors",
  "nmi",
  "npmi",
  "numericLabels",
  "orthogonalityDefect",
  "predict",
  "purity",
  "readArff",
  "readCsv",
  "readLibsvm",
  "readMatrixMarket",
  "readNpy",
  "relativeError",
  "resampleCounts",
  "resume",
  "rocAuc",
  "rocCurve",
  "saveClassifier",
  "saveModel",
  "saveTopics",
  "shuffleFeatures",
  "silhouette",
  "silhouettes",
  "singlePrototypeError",
  "splitWords",
  "summariseFeatures",
  "takesSigned",
  "topics",
  "topicsOf",
  "vMeasure",
  "writeCsv",
  "writeLibsvm",
  "writeMatrixMarket",
  "writeNpy",
];

const DATA_FILE = /\.(csv|tsv|svm|libsvm|arff|npy|npz|mtx|mat|gz|zip|bz2|xz|parquet|arrow|safetensors|bin|pgm)$/;
const MOST_BYTES = 700 * 1024;

const library = fileURLToPath(new URL("..", import.meta.url));
const root = join(library, "../..");

/** Source files by their path inside src, with what each imports, also inside src. */
const sources = new Map(walk(join(library, "src")).map((path) => [path, readSource(path)]));

describe("the architecture", () => {
  it("has only folders that are listed here", () => {
    const folders = [...LAYERS, ...Object.keys(SIDE_FOLDERS)];
    expect([...sources.keys()].filter((path) => !folders.includes(folderOf(path)))).toEqual([]);
  });

  it.each(LAYERS)("lets %s import only downward", (folder) =>
    expect(strayImports(folder, layersUpTo(folder))).toEqual([]),
  );

  it.each(Object.entries(SIDE_FOLDERS))("lets %s import only what is listed", (folder, { sees }) =>
    expect(strayImports(folder, [folder, ...sees])).toEqual([]),
  );

  it("has no import cycles between files", () => expect(findCycle()).toEqual([]));

  it("imports nothing from outside, and only files that are there", () => {
    const strange = [...sources].flatMap(([path, { imports }]) =>
      imports.filter((target) => !sources.has(target)).map((target) => `${path} imports ${target}`),
    );
    expect(strange).toEqual([]);
  });

  it("waits only from the engine up", () => {
    const waiting = [...sources].filter(([, { code }]) => /\b(await|async|Promise)\b/.test(code)).map(([path]) => path);
    expect(waiting.filter((path) => !ASYNC.includes(folderOf(path)))).toEqual([]);
  });

  it(`keeps every file within ${MOST_LINES} lines`, () => {
    const long = [...sources]
      .filter(([, { lines }]) => lines > MOST_LINES)
      .map(([path, { lines }]) => `${path}: ${lines}`);
    expect(long).toEqual([]);
  });
});

describe("the package", () => {
  it("needs nothing at run time", () => {
    const manifest = JSON.parse(readFileSync(join(library, "package.json"), "utf8"));
    const kinds = ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies"];
    expect(kinds.filter((kind) => kind in manifest)).toEqual([]);
  });

  it("exports exactly what is written here", async () => {
    expect(Object.keys(await import("../src/index.js")).sort()).toEqual(EXPORTS);
  });
});

describe("the repository", () => {
  const files = listFiles();

  it("holds no data files but those of examples", () => {
    expect(files.filter((path) => DATA_FILE.test(path) && !path.startsWith("examples/"))).toEqual([]);
  });

  it("holds no large files", () => {
    const large = files.filter((path) => path !== "package-lock.json" && statSync(join(root, path)).size > MOST_BYTES);
    expect(large).toEqual([]);
  });

  it("walks one fit in ARCHITECTURE.md through functions that are where it says", () => {
    const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
    const steps = [...text.matchAll(/^\| `([\w/-]+\.ts)` \| (`.*`) \|/gm)];
    expect(steps.length).toBeGreaterThan(50);
    const named = steps.flatMap(([, path, names]) => names.match(/[#\w]+/g)!.map((name) => ({ path, name })));
    const missing = named.filter(({ path, name }) => {
      const definition = new RegExp(`(function\\*? |class |const |^  (async )?|get )${name}\\b`, "m");
      return !definition.test(codeAt(path));
    });
    expect(missing).toEqual([]);
  });
});

/** A source of the library, named from src; or of another package, named from the root. */
function codeAt(path: string): string {
  if (!/^(apps|packages)\//.test(path)) return sources.get(path)?.code ?? "";
  return existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
}

function walk(folder: string, leaveOut: string[] = []): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (leaveOut.includes(entry.name)) return [];
    if (!entry.isDirectory()) return [entry.name];
    return walk(join(folder, entry.name), leaveOut).map((path) => `${entry.name}/${path}`);
  });
}

function readSource(path: string): { code: string; lines: number; imports: string[] } {
  const text = readFileSync(join(library, "src", path), "utf8");
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
  // Static imports and re-exports, of types too, as the formatter leaves them; and import("…") anywhere.
  const found = [...code.matchAll(/^(?:import|export)\b[^;]*?"([^"\n]+)";|\bimport\(\s*["'`]([^"'`]+)/gm)];
  const imports = found
    .filter(([statement]) => /^import\b|\bfrom\s+"/.test(statement))
    .map(([, fixed, dynamic]) => resolve(path, fixed ?? dynamic));
  return { code, lines: text.trimEnd().split("\n").length, imports };
}

/** The path inside src that "./x.js" names; anything that is not relative stays as it is. */
function resolve(from: string, target: string): string {
  return target.startsWith(".") ? posix.join(dirname(from), target).replace(/\.js$/, ".ts") : target;
}

function folderOf(path: string): string {
  return path.split("/")[0].replace(/\.ts$/, "");
}

function layersUpTo(folder: string): string[] {
  const height = LAYERS.indexOf(folder);
  const beside = Object.entries(SIDE_FOLDERS).filter(([, { seenFrom }]) => LAYERS.indexOf(seenFrom) <= height);
  return [...LAYERS.slice(0, height + 1), ...beside.map(([name]) => name)];
}

function strayImports(folder: string, allowed: string[]): string[] {
  return [...sources]
    .filter(([path]) => folderOf(path) === folder)
    .flatMap(([path, { imports }]) =>
      imports
        .filter((target) => sources.has(target) && !allowed.includes(folderOf(target)))
        .map((t) => `${path} → ${t}`),
    );
}

/** The files of one import cycle, the first named twice; empty when there is none. */
function findCycle(): string[] {
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const target of sources.get(path)?.imports ?? []) {
      const cycle = visit(target, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    done.add(path);
    return [];
  };
  for (const path of sources.keys()) {
    const cycle = visit(path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

/** What git tracks; without git, every file that is not made by a tool. */
function listFiles(): string[] {
  const git = spawnSync("git", ["-c", "safe.directory=*", "ls-files", "-z"], { cwd: root, encoding: "utf8" });
  if (git.status !== 0) return walk(root, [".git", "node_modules", "dist", "coverage", ".cache"]);
  return git.stdout.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
}
