/** The texts of an NPY header. */
export interface NpyHeader {
  /** NumPy's name of the type: "<f4". */
  descr: string;
  fortran: boolean;
  /** What is between its parentheses. */
  shape: string;
}

const ENTRY =
  /\s*(?:'descr'\s*:\s*'([^'\\]*)'|'fortran_order'\s*:\s*(True|False)|'shape'\s*:\s*\(([^()]*)\))\s*(?:,|(?=\}))/y;
const END = /\s*\}[ \t\r\n]*$/y;

/** Reads the header of one plain array: a Python dictionary of three entries, then blanks. Undefined where it is not that. */
export function parseNpyHeader(text: string): NpyHeader | undefined {
  const found: Partial<NpyHeader> = {};
  let at = text.indexOf("{") + 1;
  if (at === 0 || text.slice(0, at).trim() !== "{") return undefined;
  for (let entries = 0; ; entries++) {
    ENTRY.lastIndex = at;
    const entry = ENTRY.exec(text);
    if (!entry) break;
    if (entries === 3) return undefined;
    const [, descr, fortran, shape] = entry;
    if (descr !== undefined) found.descr = descr;
    if (fortran !== undefined) found.fortran = fortran === "True";
    if (shape !== undefined) found.shape = shape;
    at = ENTRY.lastIndex;
  }
  END.lastIndex = at;
  const { descr, fortran, shape } = found;
  if (!END.test(text) || descr === undefined || fortran === undefined || shape === undefined) return undefined;
  return { descr, fortran, shape };
}
