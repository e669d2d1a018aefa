import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Model } from "bonmf";
import { collectFindings, measureReference, type ReportData, renderPage } from "bonmf-report";
import { quoteWord } from "../args/quote.js";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { explainData } from "../input/data-error.js";
import { type Loaded, load } from "../input/input.js";
import { readOptions } from "../read/options.js";
import { bytes, plural, replaceControls } from "../show/text.js";
import { openDraft } from "../write/file.js";
import { likeModel, namesOf, openModel } from "./model-file.js";
import { checkReport, writeReport } from "./report-file.js";

export async function run(call: Call): Promise<void> {
  const { options, terminal } = call;
  const [path, ...args] = call.args;
  const out = options.string("out") ?? "report.html";
  await checkReport(out);
  const model = await openModel(path);
  checkSize(call, model);
  const names = chooseNames(call, model);
  await (await openDraft(out)).discard();
  const reading = { ...call, args };
  const loaded = await load(reading, { ...likeModel(model), size: undefined });
  const reference = await measureReference(model, loaded.data.X, call.signal);
  await writePage(reading, out, model, loaded, { clusterNames: names, reference });
  const { size } = await stat(out);
  const { samples, features } = loaded.data.X;
  if (terminal.json) {
    const labels = loaded.data.labels !== null;
    terminal.out(JSON.stringify({ model: path, k: model.k, samples, features, labels, out, bytes: size }));
    return;
  }
  const what = `${plural(samples, "sample")} in ${plural(model.k, "cluster")}`;
  terminal.out(`${what}: report written to ${terminal.style.accent(replaceControls(out))} (${bytes(size)})`);
  if (!/\.pdf$/i.test(out)) terminal.note(`open it in a browser: ${pathToFileURL(resolve(out))}`);
}

/** Also for `bonmf fit --report`; the call's arguments are the sources. */
export async function writePage(
  call: Call,
  out: string,
  model: Model,
  { data, source }: Loaded,
  more: Pick<ReportData, "clusterNames" | "reference">,
): Promise<void> {
  const { X, features, labels, ids } = data;
  // --size says that the columns of a table are pixels.
  const { size: image } = readOptions(call);
  const recipe = image ? { ...data.recipe, image } : data.recipe;
  const command = writeCommand(call, model);
  try {
    const findings = collectFindings(model, { X, features, labels, ids, recipe, source, command, ...more });
    await writeReport(out, () => renderPage(findings), call.signal);
  } catch (error) {
    throw explainData(error, source);
  }
}

function checkSize(call: Call, model: Model): void {
  const { size } = readOptions(call);
  const { features } = model.scaler;
  if (!size || size.width * size.height === features) return;
  const pixels = size.width * size.height;
  throw new UserError(`--size asks for ${pixels} pixels, but the model has ${features} features`);
}

function chooseNames({ options }: Call, model: Model): readonly string[] | null {
  const names = options.list("names");
  if (!names) return namesOf(model);
  if (names.length === model.k) return names;
  throw new UserError(
    `--names has ${plural(names.length, "name")}, but the model has ${plural(model.k, "cluster")}`,
    "give one for each cluster; write a comma inside a name as \\,",
  );
}

const READING = [
  ...["sql", "kind", "label", "id", "weight", "features", "exclude", "one-hot"],
  ...["missing", "size", "text", "max-words"],
];

/** The command that makes this model from these samples. */
function writeCommand({ args, options }: Call, { settings, scaler, tags }: Model): string {
  const { method, k, seed, init, restarts, maxIterations, tolerance, update, alpha, sweeps } = settings;
  // What was chosen for these samples is chosen again.
  const scale = tags.scale === undefined ? scaler.name : "auto";
  const flags = { k, seed, method, scale, init, restarts, "max-iterations": maxIterations, tolerance };
  const special = { update: ["mean", update], alpha: [1, alpha], sweeps: [1, sweeps] };
  const words = ["bonmf", "fit", ...args];
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined) words.push(`--${name}`, String(value));
  };
  for (const [name, value] of Object.entries(flags)) if (value !== "given") add(name, value);
  for (const [name, [usual, value]] of Object.entries(special)) if (value !== usual) add(name, value);
  for (const name of READING) add(name, options.string(name));
  return words.map(quoteWord).join(" ");
}
