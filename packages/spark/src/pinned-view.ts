import { type QueryOptions, type Session, SparkError } from "./connect/index.js";
import type { ViewNames } from "./view-names.js";

/** Where the partitions lie: two rows (partition, asks) of each, who it is and what is asked, held beside its packed samples. */
export interface PinnedView {
  /** Runs a query on them. */
  use(ask: () => Promise<void>): Promise<void>;
}

/** Pinned, because a query on cached rows brings all that they were made by to every task, in every sweep. */
export async function pinPartitions(session: Session, { packed, partitions }: ViewNames, options: QueryOptions): Promise<PinnedView> {
  const query = `SELECT partition, explode(array(false, true)) AS asks FROM ${packed} WHERE part = 0`;
  await session.pinView(partitions, query, options);
  return {
    async use(ask) {
      try {
        await ask();
      } catch (error) {
        // Pinned rows are lost with their executor; the packed ones are made again.
        if (!(error instanceof SparkError) || error.code !== "spark") throw error;
        await session.pinView(partitions, query, options);
        await ask();
      }
    },
  };
}
