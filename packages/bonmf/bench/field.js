// Who takes part in a task, and what each is told. The first of a row is the one that ratios refer to.
const LIMIT = 300;

const node = (script, name, task, load, more) => ({ name, runtime: "node", script, task, load, ...more });
const python = (name, task, load, more) => ({
  name,
  runtime: "python",
  script: "python/contestant.py",
  task,
  load,
  ...more,
});

/** To the fixed point, or `LIMIT` iterations. */
export function clustering({ method, peers }) {
  return ({ set, start, k, out }) => {
    const job = (name, options) => ({ set, start, k, out: out(name), options });
    // numpy's version has no repair of empty clusters.
    const empty = method === "bonmf" ? { emptyClusters: "keep" } : {};
    const ours = (name, options) =>
      node("ours.js", name, "fit", job(name, { maxIterations: LIMIT, ...empty, ...options }), {
        compare: options.method === method,
      });
    const sklearn = (algorithm) =>
      python(
        `scikit-learn ${algorithm}`,
        "sklearn-kmeans",
        job(`scikit-learn ${algorithm}`, { algorithm, max_iter: LIMIT }),
      );
    const known = {
      lloyd: () => sklearn("lloyd"),
      elkan: () => sklearn("elkan"),
      faiss: () => python("faiss", "faiss-kmeans", job("faiss"), { follows: true }),
      ml: () => node("npm.js", "ml-kmeans", "kmeans", job("ml-kmeans", { maxIterations: LIMIT })),
      numpy: () => python("numpy Algorithm 1", "algorithm1", job("numpy Algorithm 1", { max_iter: LIMIT })),
      kmeans: () => ours("bonmf's kmeans", { method: "kmeans" }),
    };
    return [
      ours("bonmf", { method }),
      ours("bonmf, 1 thread", { method, threads: 1 }),
      ...peers.map((peer) => known[peer]()),
    ];
  };
}

export function factoring({ npm = false } = {}) {
  return ({ set, start, k, path }) => {
    const factors = `${set.name}.nmf${k}`;
    const job = { set, start, k, factors, W: path(`${factors}.W.f32`), H: path(`${factors}.H.f32`) };
    const free = { compare: false };
    return [
      node("ours.js", "bonmf", "nmf", { ...job, options: {} }),
      node("ours.js", "bonmf, 1 thread", "nmf", { ...job, options: { threads: 1 } }),
      python("scikit-learn mu", "sklearn-nmf", { ...job, solver: "mu" }),
      python("scikit-learn cd", "sklearn-nmf", { ...job, solver: "cd" }, free),
      python("numpy", "numpy-nmf", job),
      ...(npm ? [node("npm.js", "mokolo", "mokolo", job, free)] : []),
      ...(npm ? [node("npm.js", "ai-on-browser", "browser", job, free)] : []),
    ];
  };
}

export function cold({ set, start, k, out }) {
  const job = (name, algorithm) => ({ set, start, k, out: out(name), algorithm });
  const sklearn = (algorithm) => ({
    name: `scikit-learn ${algorithm}`,
    runtime: "python",
    script: "python/cold.py",
    task: "cold",
    load: job(`scikit-learn ${algorithm}`, algorithm),
  });
  return [node("cold.js", "bonmf", "cold", job("bonmf")), sklearn("lloyd"), sklearn("elkan")];
}

export function neighbors({ sets: [train, test], k, out }) {
  const job = (name, more) => ({ train, test, k, out: out(name), ...more });
  const ours = (name, probes) => node("ours.js", name, "neighbors", job(name, { probes }));
  const graph = (width) => {
    const name = `hnswlib ef ${width}`;
    return node("npm.js", name, "graph", job(name, { width }));
  };
  const numpy = (name, search) => python(name, "product", job(name, { search }), { compare: search });
  return [
    ours("bonmf, exact", "exact"),
    ours("bonmf, 4 clusters", 4),
    ours("bonmf, 1 cluster", 1),
    numpy("numpy product alone", false),
    numpy("numpy product and argmax", true),
    ...[16, 64, 256].map(graph),
  ];
}

export function restarting({ set, k }) {
  const restarts = 30;
  const run = (name, together) => node("ours.js", name, "restarts", { set, k, restarts, together });
  return [run(`restarts: ${restarts}`, true), run(`${restarts} fits`, false)];
}

/** Doubling one size, the others fixed; the first point is the smallest. */
export function growing(size, points, fixed) {
  return ({ set, start }) =>
    points.map((value) => {
      const options = { method: "bonmf", maxIterations: 20 };
      return node("ours.js", String(value), "growth", { set, start, ...fixed, [size]: value, options });
    });
}

export function limits() {
  const bytes = 2 ** 28;
  return [
    node("ours.js", "scores from the cache, bonmf, 1 thread", "tile", { samples: 200, features: 256 }),
    node("ours.js", "copy, Node, 1 thread", "copy", { bytes }),
    python("copy, numpy, 1 thread", "copy", { bytes }),
    python("sgemm, numpy, 1 thread", "sgemm", { size: 2048, threads: 1 }),
    python("sgemm, numpy, all threads", "sgemm", { size: 2048, threads: null }),
  ];
}
