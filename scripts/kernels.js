// Compiles packages/bonmf/assembly to WebAssembly and writes it, in base64, as src/kernel/module.ts (not kept in git).
// Two builds of one source: for a memory that threads share, and for pages that may not have one.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "packages/bonmf/assembly");
const target = join(root, "packages/bonmf/src/kernel/module.ts");

export async function buildKernels() {
  const sources = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  for (const name of sources.sort()) hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  const stamp = `// ${hash.digest("hex")}`;
  if (existsSync(target) && readFileSync(target, "utf8").startsWith(stamp)) return;
  console.log("build: compiling the kernels to WebAssembly");
  const shared = await compile(["--sharedMemory", "--maximumMemory", "65536", "--enable", "threads"]);
  const own = await compile([]);
  const text = `${stamp}
/** The kernels for a shared memory, and for one thread's own, in base64. */
export const MODULES = {
  shared: "${shared}",
  own: "${own}",
};
`;
  writeFileSync(`${target}.draft`, text);
  renameSync(`${target}.draft`, target);
}

async function compile(flags) {
  const { default: asc } = await import("assemblyscript/asc");
  let wasm;
  const { error, stderr } = await asc.main(
    [
      "index.ts",
      "--outFile",
      "kernel.wasm",
      "-O3",
      "--noAssert",
      "--runtime",
      "stub",
      "--importMemory",
      "--enable",
      "simd",
      "--use",
      "abort=",
      ...flags,
    ],
    {
      readFile: (name, base) => {
        const path = join(base === "." ? folder : join(folder, base), name);
        return existsSync(path) ? readFileSync(path, "utf8") : null;
      },
      writeFile: (_name, contents) => {
        wasm = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`the kernels do not compile:\n${stderr.toString()}`);
  return Buffer.from(wasm).toString("base64");
}
