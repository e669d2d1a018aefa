import { columnsToParquet } from "./arrow.js";
import type { File } from "./bytes.js";
import type { Data, ReadOptions } from "./data.js";
import { Direct, LEAST } from "./direct/direct.js";
import { Duck, quotePaths } from "./duck.js";
import { makePlan } from "./plan.js";
import type { Scratch } from "./spool.js";
import { finishWhole } from "./table.js";
import { needsTable } from "./wishes.js";

/**
 * Reads Arrow files of plain numbers straight into the matrix. Null where they must become a table first: to find or
 * fill values, or to say what is wrong with them.
 */
export async function readBatches(
  files: readonly File[],
  options: ReadOptions,
  scratch: Scratch,
  least = LEAST,
): Promise<Data | null> {
  const { label, id, weight, oneHot, missing, sql, text, like, signal } = options;
  if (needsTable({ oneHot, missing, sql, text, like }) || like?.recipe.text) return null;
  const direct = await Direct.open("arrow", files, options, least);
  if (direct === null) return null;
  let duck: Duck | undefined;
  try {
    const alone = await direct.readAlone();
    if (alone) return finishWhole(alone.harvest, alone.plan, alone.relation, options);
    const beside = [label, id, weight].filter((name) => name !== undefined);
    if (beside.length === 0) return null;
    const paths: string[] = [];
    for (const file of files) {
      const path = await scratch.place(".parquet");
      await columnsToParquet(file, path, beside, options);
      paths.push(path);
    }
    duck = await Duck.open(signal);
    const relation = await direct.describe(`read_parquet(${quotePaths(paths)})`);
    const plan = relation && (await makePlan(duck, relation, options));
    const harvest = plan && (await direct.read(duck, relation, plan));
    return harvest && finishWhole(harvest, plan, relation, options);
  } catch {
    signal?.throwIfAborted();
    return null;
  } finally {
    await direct.close();
    duck?.close();
  }
}
