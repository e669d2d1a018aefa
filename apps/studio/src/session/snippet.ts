import type { Choice } from "../data/choice.js";
import type { Source } from "../data/source.js";
import type { Order } from "./protocol.js";

/** The file of words to leave out that a command names. */
export const LEFT_OUT = "stop-words.txt";

/**
 * The command line that repeats a run: what people chose, and nothing that the command decides in the same way.
 *
 * @param isTopics whether the run is one of topics
 */
export function writeCommand(
  order: Order,
  choice: Choice,
  { name, form, kind, parts, files }: Pick<Source, "name" | "form" | "kind" | "parts" | "files">,
  isTopics = false,
) {
  const onVectors = choice.vectors !== undefined && choice.vectorWeight !== 0;
  const sources = listFiles(parts ? [parts.file] : (files ?? [name]));
  const words = ["bonmf", isTopics ? "topics" : "fit", ...sources, "--k", String(order.k)];
  const flag = (name: string, value: string | number | null | undefined) => {
    if (value !== undefined && value !== null && value !== "") words.push(`--${name}`, quote(String(value)));
  };
  if (parts) flag(parts.what, parts.open);
  flag("method", order.method === (onVectors ? "spherical" : "bonmf") ? null : order.method);
  flag("seed", order.seed === 0 ? null : order.seed);
  flag("restarts", order.restarts);
  if (onVectors) {
    flag("vectors", choice.vectors);
    flag("vector-weight", choice.vectorWeight);
  }
  if (!isTopics) {
    flag("scale", order.scale === "auto" ? null : order.scale);
    flag("init", order.init);
    flag("max-iterations", order.maxIterations);
  }
  flag("stop-words", choice.leaveOut && `+${LEFT_OUT}`);
  flag("ngrams", (choice.longest ?? 1) > 1 ? `1-${choice.longest}` : null);
  // Files of plain text have no columns of their own.
  if (form === "table" && kind !== "text") {
    flag("label", choice.label);
    if (choice.label === null && choice.text === undefined) words.push("--no-label");
    flag("id", choice.id);
    flag("text", choice.text);
    if (!isTopics) {
      flag("exclude", choice.exclude?.join(","));
      flag("one-hot", choice.oneHot?.join(","));
      flag("numbers", choice.numbers?.join(","));
    }
  }
  if (!isTopics) flag("missing", choice.missing);
  words.push("--out", "model.safetensors", "--assignments", "clusters.csv");
  return words.join(" ");
}

/** Many files of one kind are a pattern. */
function listFiles(files: readonly string[]): string[] {
  const endings = new Set(files.map((file) => /\.\w+$/.exec(file)?.[0] ?? ""));
  const [ending] = endings;
  return files.length > MOST_FILES && endings.size === 1 && ending ? [`*${ending}`] : files.map(quote);
}

const MOST_FILES = 12;

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
