import type { OnFile } from "../data/picture.js";
import type { Event } from "./protocol.js";

/** Between two notes of how many files were read, in milliseconds: files are many. */
const PAUSE = 200;

export function tellReading(tell: (event: Event, transfer: ArrayBuffer[]) => void): OnFile {
  let next = performance.now() + PAUSE;
  return (read, total) => {
    if (performance.now() < next) return;
    next = performance.now() + PAUSE;
    tell({ type: "reading", read, total }, []);
  };
}
