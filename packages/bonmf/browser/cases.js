// What is fitted on both sides. Runs unchanged in the page and in Node, and uses nothing but the library handed to it.

export const METHODS = ["bonmf", "kmeans", "spherical", "em-onmf", "nmf", "hals", "onmf", "onmf-ding", "semi-binary"];
const SEED = 20260;
const CLUSTERS = 10;

/** Datasets by name; each maker gets the library and, for files, their text. */
export const DATASETS = { dense: makeDense, sparse: makeSparse, optdigits: parseDigits };

/** Fits one method and returns one hex digest a result: equal digests, equal bits. */
export async function fitCase(bonmf, method, dataset, threads, text) {
  const X = DATASETS[dataset](bonmf, text);
  const model = await bonmf.fit(X, { method, k: CLUSTERS, seed: SEED, threads });
  const potentials = Float64Array.from(model.history, (step) => step.potential);
  if (model.labels.length !== X.samples) throw new Error(`${model.labels.length} labels for ${X.samples} samples`);
  if (!potentials.length || potentials.some(Number.isNaN)) throw new Error(`history without potentials: ${potentials}`);
  return {
    labels: await digest(Uint32Array.from(model.labels)),
    W: await digest(model.W.data),
    history: await digest(potentials),
    // One map for each dataset and number of threads is enough: no method has a part in it.
    ...(method === "kmeans" && { map: await digest(await mapSome(bonmf, X)) }),
  };
}

/** Finds topics in made texts, whose words threads count. */
export async function topicsCase(bonmf, threads) {
  const next = makeRandom(3);
  const texts = Array.from({ length: 2000 }, (_, i) => {
    const length = 3 + Math.floor(next() * 12);
    const words = Array.from(
      { length },
      () => `${next() < 0.7 ? `topic${i % CLUSTERS}x` : "any"}${Math.floor(next() * 40)}`,
    );
    return `${words.join(" ")}. Größe, naïve ${i % 7 === 0 ? "ΑΘΗΝΑ" : "Москва"}`;
  });
  const found = await bonmf.topics(texts, { k: CLUSTERS, seed: SEED, threads, longest: 2 });
  return {
    words: found.words.join(),
    labels: await digest(found.labels),
    W: await digest(found.model.W.data),
    telling: found.list.map(({ name }) => name).join("; "),
  };
}

async function mapSome({ mapSamples }, X) {
  const { x, y } = await mapSamples(X.slice(0, Math.min(X.samples, 1000)), { seed: SEED });
  return Float32Array.from([...x, ...y]);
}

/** What a user is told about a negative value: the names of errors must survive the bundler. */
export async function failCase(bonmf) {
  try {
    await bonmf.fit(bonmf.Dense.from([[1, -1]]), { k: 1, method: "nmf", seed: SEED });
  } catch (error) {
    return `${error.name} ${error.constructor.name} ${error.code}: ${error.message}`;
  }
  throw new Error("a negative value was let through");
}

async function digest(numbers) {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A linear congruential generator (Numerical Recipes): numbers in [0, 1) that need no library. */
function makeRandom(state) {
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function makeDense({ Dense }, _text, samples = 5000, features = 20) {
  const next = makeRandom(1);
  const centres = Float64Array.from({ length: CLUSTERS * features }, next);
  const data = new Float32Array(samples * features);
  for (let i = 0; i < data.length; i++) {
    const cluster = Math.floor(i / features) % CLUSTERS;
    data[i] = centres[cluster * features + (i % features)] + 0.3 * next();
  }
  return new Dense(samples, features, data);
}

function makeSparse({ Sparse }, _text, samples = 3000, features = 400, most = 12) {
  const next = makeRandom(2);
  const width = features / CLUSTERS;
  const rows = Array.from({ length: samples }, (_, i) => {
    const row = new Map();
    for (let entry = 0; entry < most; entry++) {
      const own = next() < 0.8;
      const feature = own ? (i % CLUSTERS) * width + Math.floor(next() * width) : Math.floor(next() * features);
      row.set(feature, 1 + Math.floor(next() * 5));
    }
    return row;
  });
  return Sparse.from(rows, features);
}

/** CSV with a header, the class in the last column. */
function parseDigits({ Dense }, text) {
  const lines = text.trim().split("\n").slice(1);
  return Dense.from(lines.map((line) => line.split(",").slice(0, -1).map(Number)));
}
