// Reads the AssemblyScript sources of the kernels and derives what would otherwise be written by hand: the exports for both
// precisions, their TypeScript signatures, and the field offsets of every struct that TypeScript reads or writes.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Bytes of a field; a class is a pointer. */
const BYTES = { i32: 4, u32: 4, usize: 4, f32: 4, f64: 8 };
const PRECISIONS = { 32: "f32", 64: "f64" };

/**
 * @param folder the folder of index.ts, which re-exports every kernel
 * @returns entry: the source to compile in place of index.ts, where a generic function `name<T>` becomes name32 and name64;
 *   types: TypeScript declarations
 */
export function describeKernels(folder) {
  const functions = readExports(folder);
  const structs = readStructs(folder, functions);
  return {
    entry: writeEntry(functions, structs),
    types: `${writeSignatures(functions)}\n${writeSelection(functions)}\n${writeStructs(structs)}`,
  };
}

/** The functions that index.ts re-exports: { name, from, generic, parameters: [name, type][], result }. */
function readExports(folder) {
  const index = readFileSync(join(folder, "index.ts"), "utf8");
  return [...index.matchAll(/^export \{([^}]+)\} from "\.\/([^"]+)";$/gm)].flatMap(([, names, from]) => {
    const source = readFileSync(join(folder, `${from}.ts`), "utf8");
    return names.split(",").map((name) => readSignature(source, name.trim(), from));
  });
}

function readSignature(source, name, from) {
  const found = new RegExp(`export function ${name}(<T>)?\\(([^)]*)\\): (\\w+) \\{`).exec(source);
  if (found === null) throw new Error(`${from}.ts exports no function ${name} whose signature is on one line`);
  const parameters = found[2].split(",").map((parameter) => parameter.trim().split(": "));
  return { name, from, generic: found[1] !== undefined, parameters, result: found[3] };
}

/** Every `@unmanaged` class of the folder's sources, by name: { from, bytes, fields: [name, type, offset][] }. */
function readStructs(folder, functions) {
  const structs = new Map();
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    const source = readFileSync(join(folder, `${path}.ts`), "utf8");
    for (const [, name, body] of source.matchAll(/@unmanaged\nexport class (\w+) \{\n([\s\S]*?)\n\}/g)) {
      structs.set(name, { from: path, ...layOut(body) });
    }
    for (const [, from] of source.matchAll(/ from "(\.[^"]+)"/g)) visit(join(dirname(path), from));
  };
  for (const { from } of functions) visit(from);
  return structs;
}

function layOut(body) {
  let bytes = 0;
  const fields = [...body.replace(/\/\/.*/g, "").matchAll(/(\w+): (\w+);/g)].map(([, name, type]) => {
    const size = BYTES[type] ?? 4;
    const offset = Math.ceil(bytes / size) * size;
    bytes = offset + size;
    return [name, type, offset];
  });
  return { bytes, fields };
}

function writeEntry(functions, structs) {
  const classes = new Map([...structs].map(([name, { from }]) => [name, from]));
  const imports = [...classes].map(([name, from]) => `import { ${name} } from "./${from}";`);
  const exports = functions.flatMap(({ name, from, generic, parameters, result }) => {
    if (!generic) return [`export { ${name} } from "./${from}";`];
    const given = parameters.map(([parameter]) => parameter).join(", ");
    const declared = parameters.map(([parameter, type]) => `${parameter}: ${type}`).join(", ");
    const versions = Object.entries(PRECISIONS).map(
      ([bits, type]) =>
        `export function ${name}${bits}(${declared}): ${result} { ${result === "void" ? "" : "return "}${name}<${type}>(${given}); }`,
    );
    return [`import { ${name} } from "./${from}";`, ...versions];
  });
  // The compiler has the last word on offsets: one that differs does not compile.
  const checks = [...structs].flatMap(([name, { fields }]) =>
    fields.map(([field, , at]) => `if (offsetof<${name}>("${field}") != ${at}) ERROR("${name}.${field}");`),
  );
  return [...imports, ...exports, ...checks].join("\n");
}

const declare = ({ parameters, result }) =>
  `(${parameters.map(([name]) => `${name}: number`).join(", ")}): ${result === "void" ? "void" : "number"};`;

function writeSignatures(functions) {
  const lines = functions.flatMap((one) =>
    (one.generic ? Object.keys(PRECISIONS) : [""]).map((bits) => `  ${one.name}${bits}${declare(one)}`),
  );
  return `/** The kernels' exports; addresses are bytes. */\nexport interface Kernels {\n${lines.join("\n")}\n}\n`;
}

function writeSelection(functions) {
  const names = new Set(functions.map(({ name }) => name));
  const paired = functions.filter(({ name }) => name.endsWith("32") && names.has(name.replace(/32$/, "64")));
  const generic = functions.filter((one) => one.generic);
  generic.push(...paired.map((one) => ({ ...one, name: one.name.slice(0, -2) })));
  const pick = (bits) => generic.map(({ name }) => `${name}: all.${name}${bits}`).join(", ");
  return `/** The kernels that exist for both precisions. */
export interface PrecisionKernels {
${generic.map((one) => `  ${one.name}${declare(one)}`).join("\n")}
}

export function selectPrecision(all: Kernels, precision: "f32" | "f64"): PrecisionKernels {
  return precision === "f64" ? { ${pick(64)} } : { ${pick(32)} };
}
`;
}

function writeStructs(structs) {
  const lines = [...structs].map(([name, { bytes, fields }]) => {
    const list = fields.map(
      ([field, type, at]) => `${field}: ["${type === "f64" || type === "f32" ? type : "u32"}", ${at}]`,
    );
    return `  ${name}: { bytes: ${bytes}, fields: { ${list.join(", ")} } },`;
  });
  return `/** Structs in linear memory: the type and the offset of each field. */
export const STRUCTS = {
${lines.join("\n")}
} as const;
`;
}
