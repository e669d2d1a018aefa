import type { Choice } from "../data/choice.js";
import type { Order } from "./protocol.js";

/** The command line that repeats a run. */
export function writeCommand(file: string, order: Order, choice: Choice, form: "table" | "matrix"): string {
  const words = ["bonmf", "fit", quote(file), "--k", String(order.k)];
  const flag = (name: string, value: string | number | null) => {
    if (value !== null && value !== "") words.push(`--${name}`, quote(String(value)));
  };
  flag("method", order.method === "bonmf" ? null : order.method);
  flag("scale", order.scale === "none" || (choice.text !== null && order.scale === "tfidf") ? null : order.scale);
  flag("seed", order.seed === 0 ? null : order.seed);
  flag("restarts", order.restarts === 1 ? null : order.restarts);
  flag("init", order.init);
  flag("max-iterations", order.maxIterations);
  if (form === "table") {
    flag("label", choice.label);
    flag("id", choice.id);
    flag("text", choice.text);
    if (choice.text === null) {
      flag("exclude", choice.exclude.join(","));
      flag("one-hot", choice.oneHot.join(","));
      flag("missing", choice.missing);
    }
  }
  words.push("--out", "model.safetensors", "--assignments", "clusters.csv");
  return words.join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
