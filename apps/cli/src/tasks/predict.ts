import { DataError } from "bonmf";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import type { Data, ReadOptions } from "../read/data.js";
import { readOptions } from "../read/options.js";
import { readParts } from "../read/read.js";
import { openDraft } from "../write/file.js";
import { formatOf, TABLES } from "../write/format.js";
import type { Value } from "../write/table.js";
import { answer, type Oracle, openOracle, relocate } from "./answer.js";
import { likeModel } from "./model.js";
import { openSink, type Sink } from "./sink.js";
import { Tally } from "./tally.js";
import { layOut } from "./verdicts.js";

/** Bytes of samples to hold at a time, where they are dense. */
const PART = 32 * 2 ** 20;

export async function run(call: Call): Promise<void> {
  const { options, terminal } = call;
  const [path] = call.args;
  const out = options.string("out") ?? null;
  const oracle = await openOracle(path, options);
  if (out !== null) await checkTarget(out);
  const kept: Record<string, Value>[] = [];
  const start = performance.now();
  const { tally, asking } = await predictParts(call, oracle, out, kept);
  if (terminal.json) {
    const seconds = { total: (performance.now() - start) / 1000, predict: asking / 1000 };
    const answers = out === null ? { predictions: kept } : {};
    terminal.out(JSON.stringify({ model: path, ...tally.toJson(), seconds, out, ...answers }));
  } else if (out === null) terminal.note(tally.describe(terminal.style));
  else terminal.out(`${tally.describe(terminal.style)}\nwritten to ${terminal.style.accent(out)}`);
}

/** Reads, answers and writes one part after another, so that the samples may be more than memory holds. */
async function predictParts(
  call: Call,
  oracle: Oracle,
  out: string | null,
  kept: Record<string, Value>[],
): Promise<{ tally: Tally; asking: number }> {
  const { args, options, signal, terminal } = call;
  const sources = args.slice(1);
  const why = options.flag("why");
  const tally = new Tally(oracle);
  const told = new Set<string>();
  const progress = terminal.progress("predicting");
  const onProgress: ReadOptions["onProgress"] = (done, total, unit) => progress.update(done, total, unit);
  const reading = { ...readOptions(call), ...likeModel(oracle.model), onProgress };
  let sink: Sink | null = null;
  let asking = 0;
  try {
    for await (const data of readParts(sources, reading, countRows(oracle))) {
      for (const note of data.notes) if (!told.has(note)) terminal.note(`note: ${note}`);
      for (const note of data.notes) told.add(note);
      const start = performance.now();
      const answers = await answer(oracle, data.X, why, signal).catch((error: unknown) => {
        throw explainPart(error, sources.join(", ") || "the query", tally.samples, data);
      });
      asking += performance.now() - start;
      sink ??= await openSink(terminal, out, layOut(oracle, data, why), kept);
      await sink.write(answers, data, tally.samples);
      tally.add(answers, data.labels);
    }
    signal.throwIfAborted();
    await sink?.commit();
    return { tally, asking };
  } catch (error) {
    await sink?.discard();
    throw error;
  } finally {
    progress.end();
  }
}

/** Nobody should wait for answers that cannot be written. */
async function checkTarget(out: string): Promise<void> {
  formatOf(out, TABLES);
  await (await openDraft(out)).discard();
}

function countRows({ model }: Oracle): number {
  return Math.min(16_384, Math.max(1024, Math.floor(PART / (4 * model.scaler.features))));
}

/** A bad value in the words of the command; `first` is the number of the part's first sample. */
function explainPart(error: unknown, source: string, first: number, { features, ids }: Data): unknown {
  if (!(error instanceof DataError)) return error;
  const { sample, feature, value } = error.place;
  if (sample === undefined || feature === undefined) return relocate(error, (i) => first + i);
  const name = ids ? ` (${JSON.stringify(ids[sample])})` : "";
  const column = features ? `column ${JSON.stringify(features[feature])}` : `feature ${feature + 1}`;
  const place = `${source}: sample ${first + sample + 1}${name}, ${column} is ${String(value)}`;
  if (error.code === "negative") {
    return new UserError(
      `${place}, but the model was fitted without a scaler and takes values of 0 or more`,
      "fit it again with --scale minmax, shift or split, which take negative values",
      { cause: error },
    );
  }
  return new UserError(`${place}: values must be finite numbers`, "add --missing zero, mean or drop", { cause: error });
}
