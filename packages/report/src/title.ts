import type { Findings } from "./findings.js";

/** What a report is called: the file's name without its folders. */
export function titleOf({ source }: Pick<Findings, "source">): string {
  return source?.match(/[^/\\]+(?=[/\\]*$)/)?.[0] ?? "Clusters";
}
