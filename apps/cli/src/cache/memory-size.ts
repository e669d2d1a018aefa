import { totalmem } from "node:os";
import { UserError } from "../errors.js";

const UNITS = "bkmgt";

/** "512MB", "1.5 GB", "40%" of this machine's memory: bytes. */
export function parseMemory(text: string, total: number = machineMemory()): number {
  const [, number, unit = ""] = /^\s*(\d+(?:\.\d+)?)\s*(%|[kmgt]i?b?|b)\s*$/i.exec(text) ?? [];
  const factor = unit === "%" ? total / 100 : 1024 ** UNITS.indexOf(unit.charAt(0).toLowerCase());
  const bytes = Math.floor(Number(number) * factor);
  if (bytes > 0 && (unit !== "%" || Number(number) <= 100)) return bytes;
  throw new UserError(`--memory ${JSON.stringify(text)} is not an amount of memory`, "write it as 512MB, 2GB or 50%");
}

/** The container's limit, else the machine's memory. */
function machineMemory(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}
