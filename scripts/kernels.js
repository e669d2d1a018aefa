// Compiles AssemblyScript to WebAssembly and writes it, in base64, as a module of the sources (not kept in git), with the
// types that kernel-types.js derives. The library's kernels come in two builds of one source: for a memory that threads
// share, and for pages that may not have one. The others are the table of words, small enough to be compiled at once, and the
// command's loops for reading columns.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeKernels } from "./kernel-types.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const targets = [
  {
    folder: "packages/bonmf/assembly",
    file: "packages/bonmf/src/kernel/module.ts",
    describe: describeKernels,
    builds: {
      shared: ["--importMemory", "--sharedMemory", "--maximumMemory", "65536", "--enable", "threads"],
      own: ["--importMemory"],
    },
  },
  { folder: "packages/bonmf/assembly/text", file: "packages/bonmf/src/text/module.ts", builds: { own: [] } },
  { folder: "apps/cli/assembly", file: "apps/cli/src/read/direct/module.ts", builds: { own: [] } },
];

export async function buildKernels() {
  for (const target of targets) await buildTarget(target);
}

async function buildTarget({ folder, file, builds, describe }) {
  const sources = readdirSync(join(root, folder), { recursive: true }).filter((name) => name.endsWith(".ts"));
  const hash = createHash("sha256");
  for (const script of ["kernels.js", "kernel-types.js"]) hash.update(readFileSync(join(root, "scripts", script)));
  for (const name of sources.sort()) hash.update(`${name}\0`).update(readFileSync(join(root, folder, name)));
  const stamp = `// ${hash.digest("hex")}`;
  const target = join(root, file);
  if (existsSync(target) && readFileSync(target, "utf8").startsWith(stamp)) return;
  console.log(`build: compiling ${folder} to WebAssembly`);
  const { entry, types = "" } = describe?.(join(root, folder)) ?? {};
  let text = `${stamp}\n${types}/** WebAssembly in base64, by build. */\nexport const MODULES = {\n`;
  for (const [name, flags] of Object.entries(builds)) {
    text += `  ${name}: "${await compile(join(root, folder), flags, entry)}",\n`;
  }
  writeFileSync(`${target}.draft`, `${text}};\n`);
  renameSync(`${target}.draft`, target);
}

/** @param entry the source to compile in place of index.ts, if given */
async function compile(folder, flags, entry) {
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
      "--enable",
      "simd",
      "--use",
      "abort=",
      ...flags,
    ],
    {
      readFile: (name, base) => {
        if (entry !== undefined && name === "index.ts") return entry;
        const path = join(base === "." ? folder : join(folder, base), name);
        return existsSync(path) ? readFileSync(path, "utf8") : null;
      },
      writeFile: (_name, contents) => {
        wasm = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${folder} does not compile:\n${stderr.toString()}`);
  return Buffer.from(wasm).toString("base64");
}
