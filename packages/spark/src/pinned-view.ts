import { type QueryOptions, type Session, SparkError } from "./connect/index.js";
import type { ViewNames } from "./view-names.js";

/** A small pinned view with two rows (partition_id, asks) per partition, located where its packed samples are. */
export interface PinnedView {
  /** Runs a query on the view, pinning it again where its executor was lost. */
  use(ask: () => Promise<void>): Promise<void>;
}

/** Pinned, because a query on cached rows sends their whole lineage to every task in every sweep. */
export async function pinPartitions(
  session: Session,
  { packed, partitions }: ViewNames,
  options: QueryOptions,
): Promise<PinnedView> {
  const query = `SELECT partition_id, explode(array(false, true)) AS asks FROM ${packed} WHERE chunk = 0`;
  await session.pinView(partitions, query, options);
  return {
    async use(ask) {
      try {
        await ask();
      } catch (error) {
        // Pinned rows are lost with their executor; Spark recomputes the packed ones.
        if (!(error instanceof SparkError) || error.code !== "spark") throw error;
        await session.pinView(partitions, query, options);
        await ask();
      }
    },
  };
}
