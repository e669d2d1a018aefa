// Compiles AssemblyScript to WebAssembly and writes it, in base64, as a module of the sources (not kept in git): the
// library's kernels, in two builds of one source, for a memory that threads share and for pages that may not have one;
// and the command's loops for reading columns.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const targets = [
  {
    folder: "packages/bonmf/assembly",
    file: "packages/bonmf/src/kernel/module.ts",
    builds: {
      shared: ["--importMemory", "--sharedMemory", "--maximumMemory", "65536", "--enable", "threads"],
      own: ["--importMemory"],
    },
  },
  { folder: "apps/cli/assembly", file: "apps/cli/src/read/direct/module.ts", builds: { own: [] } },
];

export async function buildKernels() {
  for (const target of targets) await buildTarget(target);
}

async function buildTarget({ folder, file, builds }) {
  const sources = readdirSync(join(root, folder)).filter((name) => name.endsWith(".ts"));
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  for (const name of sources.sort()) hash.update(`${name}\0`).update(readFileSync(join(root, folder, name)));
  const stamp = `// ${hash.digest("hex")}`;
  const target = join(root, file);
  if (existsSync(target) && readFileSync(target, "utf8").startsWith(stamp)) return;
  console.log(`build: compiling ${folder} to WebAssembly`);
  let text = `${stamp}\n/** WebAssembly in base64, by build. */\nexport const MODULES = {\n`;
  for (const [name, flags] of Object.entries(builds)) {
    text += `  ${name}: "${await compile(join(root, folder), flags)}",\n`;
  }
  writeFileSync(`${target}.draft`, `${text}};\n`);
  renameSync(`${target}.draft`, target);
}

async function compile(folder, flags) {
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
