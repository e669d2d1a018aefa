import { sparkEngine } from "bonmf-spark";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { escapeControls } from "../show/escape.js";
import { plural } from "../show/text.js";
import { openWhole } from "../tasks/model-file.js";
import { tabulateCounts } from "./counts.js";
import { explainSpark } from "./errors.js";
import { sparkInput, targetOf } from "./options.js";

/** `bonmf predict --engine`: sends the model to the cluster, which writes the answers. */
export async function run(call: Call): Promise<void> {
  const { args, options, signal, terminal } = call;
  const [path, ...data] = args;
  const input = sparkInput(call, data);
  const { model, classifier } = await openWhole(path);
  if (classifier)
    throw new UserError("classifiers do not run on a cluster yet", "predict with the model that it was made from");
  const out = options.string("out");
  if (out === undefined) {
    throw new UserError(
      "with --engine the cluster writes the answers: --out is missing",
      "--out PATH for Parquet files, --out NAME for a table",
    );
  }
  const { name, ...where } = input;
  const width = model.scaler.features;
  const features = where.features ?? model.featureNames ?? undefined;
  const note = (text: string) => terminal.note(`note: ${text}`);
  try {
    const signed = model.scaler.name !== "none";
    const rows = await sparkEngine({
      ...where,
      features,
      width,
      signed,
      precision: model.precision,
      signal,
      onNote: note,
    });
    try {
      if (rows.features !== width) {
        throw new UserError(
          `${name} has ${plural(rows.features, "feature")} a row, but the model was fitted on ${width}`,
        );
      }
      const counts = await rows.label(model, targetOf(out));
      const result = { model: path, samples: rows.samples, counts: [...counts], out };
      if (terminal.json) terminal.out(JSON.stringify(result));
      else {
        const written = `written by the cluster to ${terminal.style.accent(escapeControls(out))}`;
        terminal.out(`${plural(rows.samples, "sample")}\n${tabulateCounts(counts, terminal)}\n${written}`);
      }
    } finally {
      await rows.close().catch(() => {});
    }
  } catch (error) {
    throw explainSpark(error, name);
  }
}
