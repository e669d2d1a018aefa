import { connect } from "../session/remote.js";
import type { MapGeometry } from "./geometry.js";

export type Geometry = Pick<MapGeometry, keyof MapGeometry>;

let made: Geometry | null = null;

/** The worker that knows where samples lie; started with the first map. */
export function openGeometry(): Geometry {
  made ??= connect<Geometry>(new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));
  return made;
}
