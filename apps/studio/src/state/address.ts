import type { Order } from "../session/protocol.js";
import { INITS, METHODS, SCALES } from "./option-names.js";

export const TABS = ["data", "fit", "samples", "agreement", "classify", "compare", "export"] as const;
export type Tab = (typeof TABS)[number];

/** The state kept in the address, for reloads and bookmarks. */
export interface Address {
  readonly project: string | null;
  readonly tab: Tab;
  readonly run: number | null;
  readonly order: Partial<Order>;
  /** Files that `bonmf studio DATA` hands over. */
  readonly open: string | null;
}

export function readAddress(hash: string): Address {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  const whole = (name: string, least: number) => {
    const text = query.get(name);
    const value = Number(text);
    return text !== null && Number.isSafeInteger(value) && value >= least ? value : undefined;
  };
  const oneOf = <T extends string>(name: string, known: readonly T[]) => known.find((one) => one === query.get(name));
  const order = {
    k: whole("k", 1),
    seed: whole("seed", 0),
    restarts: whole("restarts", 1),
    maxIterations: whole("iterations", 1),
    pace: whole("pace", 0),
    method: oneOf("method", METHODS),
    scale: oneOf("scale", ["auto", ...SCALES] as const),
    init: oneOf("init", INITS),
  };
  const given = Object.fromEntries(Object.entries(order).filter(([, value]) => value !== undefined));
  return {
    project: query.get("project"),
    tab: oneOf("tab", TABS) ?? "data",
    run: whole("run", 1) ?? null,
    order: given,
    open: query.get("open"),
  };
}

export function writeAddress(project: string, tab: Tab, run: number | null, order: Order): string {
  const query = new URLSearchParams({ project, tab });
  if (run !== null) query.set("run", String(run));
  query.set("k", String(order.k));
  query.set("method", order.method);
  query.set("scale", order.scale);
  query.set("seed", String(order.seed));
  if (order.restarts !== null) query.set("restarts", String(order.restarts));
  if (order.init !== null) query.set("init", order.init);
  if (order.maxIterations !== null) query.set("iterations", String(order.maxIterations));
  if (order.pace > 0) query.set("pace", String(order.pace));
  return `#${query}`;
}
