import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Field, Float32, List, Table, vectorFromArray } from "apache-arrow";

/** The shapes that are swept: real rows, each many times with noise of its own, so that no two are alike. */
const SHAPES = [
  { name: "60,000 × 784", file: "mnist10k/mnist10k.csv.gz", rows: 10_000, copies: 6, features: 784 },
  { name: "1,000,000 × 64", file: "optdigits/optdigits.csv.gz", rows: 5_000, copies: 200, features: 64 },
];

const folder = process.env.BONMF_DATA_DIR ?? "";

/** The shapes to measure, or the reason why that cannot be done. */
export function chooseShapes({ quick, only }) {
  const code = ({ name }) => name.replace(/[ ,]/g, "").replace("×", "x");
  const chosen = SHAPES.filter((shape) => only === undefined || code(shape) === only);
  if (chosen.length === 0) return { reason: `--only takes ${SHAPES.map(code).join(" or ")}, not ${only}` };
  const missing = chosen.find(({ file }) => !existsSync(join(folder, file)));
  if (missing) return { reason: `BONMF_DATA_DIR must name a folder with ${missing.file}; it is "${folder}"` };
  return { shapes: quick ? chosen.map((shape) => ({ ...shape, copies: Math.ceil(shape.copies / 10) })) : chosen };
}

/** Writes a shape to Parquet on the cluster: (id, x). */
export async function writeRows(session, { file, rows, copies, features }, path) {
  const text = gunzipSync(await readFile(join(folder, file))).toString();
  const lines = text.split("\n").slice(1, rows + 1);
  const values = lines.map((line) => line.split(",").slice(0, features).map(Number));
  const type = new List(new Field("item", new Float32(), false));
  const size = 2000;
  for (let at = 0, part = 0; at < rows; at += size, part++) {
    await session.uploadView(`rows_${part}`, new Table({ x: vectorFromArray(values.slice(at, at + size), type) }));
  }
  const parts = Array.from({ length: Math.ceil(rows / size) }, (_, part) => `SELECT x FROM rows_${part}`);
  await session.run(
    `INSERT OVERWRITE DIRECTORY '${path}' USING parquet
     SELECT id, transform(x, (v, f) -> CAST(v * (0.8 + 0.4 * pmod(hash(id, f), 1000) / 1000) AS FLOAT)) AS x
     FROM (SELECT /*+ REPARTITION(8) */ monotonically_increasing_id() AS id, x
       FROM (${parts.join(" UNION ALL ")}) CROSS JOIN range(${copies}))`,
  );
}
