import type { Line, Results } from "./summary.js";

const FIELDS = new Map(
  Object.entries<(line: Line) => string | number | null | undefined>({
    column: ({ column }) => column,
    runs: ({ accuracy }) => accuracy.values.length,
    accuracy: ({ accuracy }) => accuracy.mean,
    accuracy_sd: ({ accuracy }) => accuracy.deviation,
    train_s: ({ train }) => train,
    classify_s: ({ classify }) => classify,
    iterations: ({ iterations }) => iterations,
    converged: ({ converged }) => converged,
    h_bytes: ({ memory }) => memory,
    mark: ({ mark }) => mark,
    behind: ({ behind }) => behind?.mean,
    behind_low: ({ behind }) => behind?.low,
    behind_high: ({ behind }) => behind?.high,
    lead: ({ lead }) => lead?.mean,
    lead_low: ({ lead }) => lead?.low,
    lead_high: ({ lead }) => lead?.high,
    paper_accuracy: ({ paper }) => paper && paper.accuracy / 100,
    paper_train_s: ({ paper }) => paper?.train,
    paper_classify_s: ({ paper }) => paper?.classify,
  }),
);

/** One row for each dataset and column; no value needs quotes. */
export function toCsv({ datasets }: Results): string {
  const rows = datasets.flatMap(({ name, lines }) =>
    lines.map((line) => [name, ...[...FIELDS.values()].map((read) => read(line) ?? "")].join(",")),
  );
  return [["dataset", ...FIELDS.keys()].join(","), ...rows, ""].join("\n");
}
