// What is measured: one row a line. `quick` rows make up the short run; `patience` multiplies the time limit.
import { clustering, cold, factoring, growing, limits, neighbors, restarting } from "./field.js";

const LLOYD = ["lloyd", "elkan", "faiss"];
const WITH_ML = [...LLOYD, "ml"];
const ALGORITHM1 = ["numpy", "kmeans"];

export const ROWS = [
  kmeans("optdigits", 10, WITH_ML, { quick: true }),
  kmeans("orl", 40, WITH_ML),
  kmeans("faces4k", 40, WITH_ML),
  kmeans("digits60k", 10, LLOYD),
  kmeans("digits60k", 100, LLOYD),
  kmeans("noisy60k", 10, LLOYD),
  kmeans("noisy60k", 100, LLOYD),
  kmeans("blobs200k", 10, WITH_ML, { patience: 3 }),
  kmeans("blobs200k", 100, LLOYD),
  kmeans("narrow1m", 10, LLOYD, { quick: true }),
  kmeans("wide1m", 256, LLOYD, { patience: 6, repeats: 3 }),

  bonmf("optdigits", 10, { quick: true }),
  bonmf("orl", 40),
  bonmf("faces4k", 40),
  bonmf("digits60k", 10),
  bonmf("digits60k", 100),
  bonmf("blobs200k", 10, { quick: true }),
  bonmf("blobs200k", 100),
  bonmf("narrow1m", 10),
  bonmf("wide1m", 256, { patience: 6, repeats: 3 }),

  nmf("optdigits", 10, true, { quick: true }),
  nmf("digits60k", 10),
  nmf("digits60k", 100),
  nmf("blobs200k", 10),
  nmf("faces4k", 40),

  sparse("w8a", 20, "kmeans", ["lloyd", "elkan"], { quick: true }),
  sparse("w8a", 20, "bonmf", ALGORITHM1),
  sparse("text50k", 20, "kmeans", ["lloyd", "elkan"]),
  sparse("text50k", 20, "bonmf", ALGORITHM1),

  row("cold", "optdigits", 10, cold, { quick: true, judge: "kmeans" }),
  row("neighbors", "w8a", 20, neighbors, { sets: ["w8a-train", "w8a-test"], quick: true, judge: "neighbors" }),
  row("restarts", "optdigits", 10, restarting, { quick: true }),

  growth("samples", [25_000, 50_000, 100_000, 200_000], { features: 64, k: 10 }),
  growth("features", [8, 16, 32, 64], { samples: 200_000, k: 10 }),
  growth("k", [10, 20, 40, 80, 160], { samples: 200_000, features: 64 }),

  row("limits", "machine", 0, limits, { sets: [], quick: true }),
];

export const TASKS = {
  kmeans: "k-means to its fixed point",
  bonmf: "BONMF to its fixed point",
  nmf: "NMF, one iteration",
  sparse: "Sparse data",
  cold: "A cold run of Optdigits: process start to labels",
  neighbors: "Exact 1-NN by angle: w8a's 9,950 test samples",
  restarts: "Thirty restarts",
  growth: "Growth in n, m and k (20 iterations of BONMF)",
  limits: "What the machine can do",
};

function row(task, data, k, field, more) {
  return { id: `${task}/${data}${k ? `-k${k}` : ""}`, task, k, sets: [data], field, quick: false, ...more };
}

function kmeans(data, k, peers, more) {
  return row("kmeans", data, k, clustering({ method: "kmeans", peers }), { judge: "kmeans", ...more });
}

function bonmf(data, k, more) {
  return row("bonmf", data, k, clustering({ method: "bonmf", peers: ALGORITHM1 }), { judge: "bonmf", ...more });
}

/** The time of one iteration is the difference between a long and a short run. */
function nmf(data, k, npm, more) {
  return row("nmf", data, k, factoring({ npm }), { judge: "nmf", lengths: [5, 25], ...more });
}

function sparse(data, k, method, peers, more) {
  const { id, ...rest } = row("sparse", data, k, clustering({ method, peers }), { judge: method, ...more });
  return { id: `${id}-${method}`, ...rest };
}

function growth(size, points, fixed) {
  const id = `growth/${size}`;
  const most = size === "k" ? points.at(-1) : fixed.k;
  return { ...row("growth", "blobs200k", most, growing(size, points, fixed)), id };
}
