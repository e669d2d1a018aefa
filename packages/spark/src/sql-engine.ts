import { tableFromArrays } from "apache-arrow";
import { Dense, OptionError } from "bonmf";
import {
  blockSize,
  type Engine,
  emptyStats,
  pushStats,
  type Ranked,
  type Stats,
  type Step,
  zeroSums,
} from "bonmf/engine";
import type { QueryOptions, Row, Session } from "./connect/index.js";
import { prototypesTable } from "./prototypes.js";
import { Race } from "./race.js";
import type { Shape } from "./request.js";
import { findLabels, mixColumns, product, quarters } from "./sql-expressions.js";
import { uniqueName, type ViewNames } from "./view-names.js";

/** The columns of a sample that sweeps need. */
const OWN = "i, x, j, norm";

/** Numbered samples as Spark's own arrays: a table of (i, x, j, norm). */
export interface Arrays {
  readonly session: Session;
  readonly names: ViewNames;
  readonly shape: Omit<Shape, "cuts">;
}

/** The samples, and the views that hold a step's prototypes, those of the step before, and its grid. */
interface Tables extends Arrays {
  readonly now: string;
  readonly earlier: string;
  readonly grid: string;
}

/**
 * The engine in plain Spark SQL, for clusters whose executors have no Node. Products are higher-order functions in the
 * kernels' order and precision, and sums lie on the kernels' grids: the same bits, more slowly. Labels are not kept; those
 * before a step are computed again from the W before.
 */
export function openSqlEngine(arrays: Arrays): Engine {
  const { session, shape } = arrays;
  const name = uniqueName();
  const tables: Tables = { ...arrays, now: `${name}_now`, earlier: `${name}_earlier`, grid: `${name}_grid` };
  let current: Step | null = null;
  let before: Step | null = null;
  let race: Race | null = null;

  return {
    samples: shape.samples,
    features: shape.features,

    async pass(step, signal) {
      signal?.throwIfAborted();
      if (step.rule === "survey") return surveySamples(tables, step.rank ?? 0, signal);
      if (step.rule === "hold") return rankWorst(tables, step, current, signal);
      if ((step.rule === "cosine" || step.rule === "distance") && step.grid) {
        const stats = await assignSamples(tables, step, current, signal);
        [before, current] = [current, step];
        return stats;
      }
      if (step.rule === "race") {
        const rows = (ids: readonly number[]) => takeRows(tables, ids);
        race ??= new Race({ samples: shape.samples, longest: await longestOf(tables, signal), rows });
        return rankOnly(await race.run(step), step.rank ?? 1);
      }
      throw new OptionError(
        "sweep",
        step.rule,
        `without Node on the executors there is no ${step.rule} step: choose update mean, and init columns or plusplus`,
      );
    },

    async revert() {
      current = before;
    },

    rows: (ids) => takeRows(tables, ids),

    async gather() {
      if (!current) throw new OptionError("codes", null, "no pass has assigned anything yet");
      return { form: "labels", k: current.k, labels: new Uint8Array(0), values: null };
    },

    async scatter() {
      throw new OptionError("codes", null, "labels cannot be sent to a cluster: they follow from W there");
    },

    async close() {
      const { now, earlier, grid } = tables;
      for (const view of [now, earlier, grid]) await session.run(`DROP VIEW IF EXISTS ${view}`);
    },
  };
}

async function surveySamples(tables: Tables, rank: number, signal?: AbortSignal): Promise<Stats> {
  const { names, shape } = tables;
  const { samples, features, sparse } = shape;
  const inOrder = (name: string) => `aggregate(rows, 0D, (s, r) -> s + r.${name})`;
  const blocks = await collect(
    tables,
    `SELECT b, ${inOrder("q")} AS q, ${inOrder("t")} AS t, size(rows) AS n, size(filter(rows, r -> r.q = 0)) AS zeros
     FROM (SELECT i div ${blockSize(samples)} AS b, array_sort(collect_list((i, q, t))) AS rows FROM (
       SELECT i, normSq AS q, ${quarters(sparse, "CAST(x[p] AS DOUBLE)")} AS t FROM ${names.packed}
     ) GROUP BY 1) ORDER BY b`,
    signal,
  );
  const exploded = sparse ? "inline(arrays_zip(j, x)) AS (f, v)" : "posexplode(x) AS (f, v)";
  const most = await collect(
    tables,
    `SELECT f, max(v) AS v FROM (SELECT ${exploded} FROM ${names.packed}) GROUP BY f`,
    signal,
  );
  const longest = await collect(
    tables,
    `SELECT i, -norm AS key, 0 AS label FROM ${names.packed} WHERE norm > 0 ORDER BY key, i LIMIT ${rank}`,
    signal,
  );
  const stats = emptyStats(rank);
  blocks.forEach((row, at) => {
    const sums = { ...zeroSums({ XHt: 0, HHt: 0 }), most: new Float64Array(features) };
    sums.normSq = Number(row.q);
    sums.total = Number(row.t);
    sums.weight = Number(row.n);
    sums.zeros = sums.zeroWeight = Number(row.zeros);
    if (at === 0) {
      for (const { f, v } of most) sums.most[Number(f)] = Math.max(0, Number(v));
      sums.ranked.push(...rankedOf(longest));
    }
    pushStats(stats, Number(row.b), 0, sums);
  });
  return stats;
}

/** @param current the step whose labels the samples have; null where they have none */
async function assignSamples(tables: Tables, step: Step, current: Step | null, signal?: AbortSignal): Promise<Stats> {
  const { session, shape, grid } = tables;
  const { samples, features } = shape;
  await uploadPrototypes(tables, tables.now, step, signal);
  if (current) await uploadPrototypes(tables, tables.earlier, current, signal);
  const cells = tableFromArrays({ f: Int32Array.from(step.grid!, (_, f) => f), g: step.grid! });
  await session.uploadView(grid, cells, signal ? { signal } : {});
  const totals = await collect(tables, totalsQuery(tables, step, current !== null), signal);
  const sums = zeroSums({ XHt: step.k * features, HHt: step.k });
  for (const row of totals) {
    const [label, f] = [Number(row.label), Number(row.f)];
    if (f >= 0) sums.XHt[label * features + f] = Number(row.t);
    else {
      sums.HHt[label] = Number(row.t);
      sums.changed += Number(row.moved);
      sums.hash0 = (sums.hash0 ^ Number(row.h0)) >>> 0;
      sums.hash1 = (sums.hash1 ^ Number(row.h1)) >>> 0;
    }
  }
  sums.products = samples * step.k * (current ? 2 : 1);
  const stats = emptyStats(0);
  pushStats(stats, 0, 0, sums);
  stats.kernel = "Spark SQL";
  return stats;
}

/** Sums by (label, feature); feature −1 stands for the sample itself: its count, whether it moved, its fingerprint. */
function totalsQuery({ names, shape: { sparse }, now, earlier, grid }: Tables, step: Step, labelled: boolean): string {
  let rows = findLabels(sparse, names.packed, OWN, now, "label");
  if (labelled) rows = findLabels(sparse, `(${rows})`, `${OWN}, label`, earlier, "was");
  const grids = `(SELECT transform(array_sort(collect_list((f, g))), s -> s.g) AS g FROM ${grid})`;
  const scale = step.unit ? "CASE WHEN norm > 0 THEN 1D / norm * v ELSE 0D END" : "CAST(v AS DOUBLE)";
  const term = `(v, f) -> (${scale}) + g[f] - g[f]`;
  const terms = sparse ? `zip_with(x, j, ${term})` : `transform(x, ${term})`;
  const features = sparse ? "j" : "sequence(0, size(x) - 1)";
  const exploded = `inline(arrays_zip(array_prepend(${features}, -1), array_prepend(terms, 1D))) AS (f, t)`;
  return `SELECT label, f, sum(t) AS t, sum(CASE WHEN f < 0 THEN moved ELSE 0 END) AS moved,
      bit_xor(CASE WHEN f < 0 THEN h0 ELSE 0 END) AS h0, bit_xor(CASE WHEN f < 0 THEN h1 ELSE 0 END) AS h1
    FROM (SELECT label, moved, h0, h1, ${exploded} FROM (
      SELECT x, j, label, moved, ${terms} AS terms, ${mixColumns("h0", 0)}, ${mixColumns("h1", 0x5bd1e995)}
      FROM (SELECT *, ${labelled ? "CASE WHEN was <> label THEN 1 ELSE 0 END" : "1"} AS moved FROM (${rows}))
        CROSS JOIN ${grids}
    )) GROUP BY label, f`;
}

/** The worst-fitting samples under the present labels; the totals are known already. */
async function rankWorst(tables: Tables, step: Step, current: Step | null, signal?: AbortSignal): Promise<Stats> {
  if (!current) throw new OptionError("rule", step.rule, "there are no codes to hold yet");
  const { names, shape, now } = tables;
  const { sparse } = shape;
  await uploadPrototypes(tables, now, current, signal);
  const rows = findLabels(sparse, names.packed, OWN, now, "label");
  const own = `SELECT i, norm, label, ${product(sparse, "plain", "0D")} AS dot, length AS len
    FROM (${rows}) JOIN ${now} ON c = label`;
  const key =
    step.fit === "distance"
      ? `CASE WHEN norm * norm - 2 * dot + len * len > 1e-12 * norm * norm
           THEN -(norm * norm - 2 * dot + len * len) END`
      : "CASE WHEN norm > 0 THEN CASE WHEN len > 0 THEN dot / (norm * len) ELSE 0D END END";
  const good = step.fit === "distance" ? "key IS NOT NULL" : "key < 1 - 1e-12";
  const worst = await collect(
    tables,
    `SELECT i, key, label FROM (SELECT i, label, ${key} AS key FROM (${own})) WHERE ${good}
     ORDER BY key, i LIMIT ${step.rank ?? 0}`,
    signal,
  );
  return rankOnly(rankedOf(worst), step.rank ?? 0);
}

async function longestOf(tables: Tables, signal?: AbortSignal): Promise<number> {
  const [row] = await collect(tables, `SELECT max(norm) AS norm FROM ${tables.names.packed}`, signal);
  return Number(row.norm);
}

async function takeRows(tables: Tables, ids: ArrayLike<number>): Promise<Dense> {
  const { features, precision } = tables.shape;
  const wanted = [...new Set(Array.from(ids))].join(", ");
  const found = await collect(tables, `SELECT i, x, j FROM ${tables.names.packed} WHERE i IN (${wanted})`);
  const rows = new Map(found.map((row) => [Number(row.i), row as { x: number[]; j: number[] | null }]));
  const out = Dense.zeros(ids.length, features, precision);
  Array.from(ids).forEach((id, at) => {
    const { x, j } = rows.get(id)!;
    x.forEach((value, p) => {
      out.data[at * features + (j === null ? p : j[p])] = value;
    });
  });
  return out;
}

function collect({ session }: Tables, query: string, signal?: AbortSignal): Promise<Row[]> {
  return session.collect(query, signal ? { signal } : {});
}

async function uploadPrototypes({ session, shape }: Tables, view: string, step: Step, signal?: AbortSignal) {
  await session.uploadView(view, prototypesTable(step, shape.precision), signal ? { signal } : {});
}

function rankedOf(rows: readonly Row[]): Ranked[] {
  return rows.map(({ i, key, label }) => ({
    id: Number(i),
    key: Number(key),
    label: Number(label),
    value: 1,
    weight: 1,
  }));
}

/** Totals that hold a ranking and nothing else. */
function rankOnly(ranked: readonly Ranked[], rank: number): Stats {
  const sums = zeroSums({ XHt: 0, HHt: 0 });
  sums.ranked.push(...ranked);
  const stats = emptyStats(rank);
  pushStats(stats, 0, 0, sums);
  return stats;
}

/** Caches the numbered samples as arrays with their norms. */
export async function cacheArrays({ session, names, shape }: Arrays, numbered: string, options: QueryOptions) {
  const { sparse } = shape;
  const square = "CAST(x[p] AS DOUBLE) * CAST(x[p] AS DOUBLE)";
  await session.run(
    `CACHE TABLE ${names.packed} OPTIONS('storageLevel' 'MEMORY_AND_DISK') AS
     SELECT i, x, j, normSq, sqrt(normSq) AS norm FROM (
       SELECT i, x, j, ${quarters(sparse, square)} AS normSq FROM (${numbered}))`,
    options,
  );
}
