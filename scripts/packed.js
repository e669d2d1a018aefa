// Packs every package as npm would publish it, installs the packages into an empty folder, and uses them there as people
// would: the command, the studio's page, the library from TypeScript. Build first; npm fetches the dependencies.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, finishChecks } from "./checks.js";
import { listPackages, root } from "./packages.js";

const folder = mkdtempSync(join(tmpdir(), "bonmf-packed-"));
const app = join(folder, "app");
const binary = join(app, "node_modules/.bin/bonmf");
const USE = `import { Dense, fit, type Model } from "bonmf";
import { fit as fitSmall } from "bonmf/bundle";
import { openEngine } from "bonmf/engine";
import { readCsv, readTable } from "bonmf-data";
import { collectFindings, renderPage } from "bonmf-report";
import { showReport } from "bonmf-report/views";
import { sparkEngine } from "bonmf-spark";

const X = Dense.from([[5, 0], [4, 1], [0, 3]]);
const model: Model = await fit(X, { k: 2 });
const page: string = await renderPage(await collectFindings(model, { X }));
const table = readCsv(new TextEncoder().encode("tea,kind\\n5,a\\n0,b\\n"), "drinks.csv");
const { features } = await readTable({ ...table, name: "drinks.csv", kind: "csv" }, { label: "kind" });
const { k } = await fitSmall([[5, 0], [4, 1], [0, 3]], { k: 2 });
const parts: unknown[] = [openEngine, showReport, sparkEngine];
console.log(k, page.length > 1000 && features?.[0] === "tea" && parts.every((part) => typeof part === "function"));
`;
const SERVER = `import { fit } from "bonmf";
import { openEngine } from "bonmf/engine";

export const all: unknown[] = [fit, openEngine];
`;

try {
  await check("the packages install", install);
  await check("bonmf --version", () => run(binary, ["--version"], /^bonmf \d+\.\d+\.\d+$/m));
  await check("the library's own bonmf command runs the installed one", () =>
    run(process.execPath, ["node_modules/bonmf/bin/bonmf.js", "--version"], /^bonmf \d+\.\d+\.\d+$/m),
  );
  await check("without bonmf-cli it says how to get it", () => {
    cpSync(join(app, "node_modules/bonmf"), join(folder, "alone/node_modules/bonmf"), { recursive: true });
    const cwd = join(folder, "alone");
    const { status, stderr } = spawnSync(process.execPath, ["node_modules/bonmf/bin/bonmf.js"], {
      cwd,
      encoding: "utf8",
    });
    if (status !== 1 || !/npm install bonmf-cli/.test(stderr)) throw new Error(`it ended with ${status}: ${stderr}`);
  });
  await check("bonmf reproduce is installed with the command", () =>
    run(binary, ["reproduce", "--help"], /--dataset NAMES/),
  );
  await check("bonmf fit, on CSV, with a report", () => {
    const drinks = "tea,milk,kind\n5,0,a\n4,1,a\n6,0,a\n0,3,b\n1,4,b\n0,5,b\n";
    writeFileSync(join(app, "drinks.csv"), drinks);
    return run(binary, ["fit", "drinks.csv", "--k", "2", "--label", "kind", "--report", "page.html"], /100\.0 %/);
  });
  await check("bonmf studio serves its page and all that the page names", visitStudio);
  writeFileSync(join(app, "use.ts"), USE);
  for (const [module, resolution] of [["nodenext", "nodenext"], ["preserve", "bundler"]]) // biome-ignore format: pairs
    await check(`types, --moduleResolution ${resolution}`, () =>
      compile("use.ts", module, resolution, "--lib", "es2023,dom", "--types", ""),
    );
  writeFileSync(join(app, "server.ts"), SERVER);
  const roots = join(root, "node_modules/@types");
  await check("the library's types without a browser's", () =>
    compile("server.ts", "nodenext", "nodenext", "--lib", "es2023", "--types", "node", "--typeRoots", roots),
  );
  await check("what was compiled runs", () => run(process.execPath, ["out/use.js"], /^2 true$/m));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
finishChecks();

function run(command, args, expected = /^/, cwd = app) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error) throw error;
  if (status !== 0 || !expected.test(stdout)) throw new Error(`it ended with ${status}: ${stdout}${stderr}`);
}

function install() {
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{ "private": true, "type": "module" }');
  const workspaces = listPackages().flatMap(({ folder }) => ["--workspace", folder]);
  run("npm", ["pack", "--silent", ...workspaces, "--pack-destination", folder], undefined, root);
  const archives = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", ...archives.map((name) => join(folder, name))]);
}

async function visitStudio() {
  const child = spawn(binary, ["studio", "drinks.csv", "--no-open", "--json"], {
    cwd: app,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const line = await Promise.race([new Promise((resolve) => child.stdout.once("data", resolve)), ended]);
    const { url } = JSON.parse(String(line));
    const page = await (await fetch(url)).text();
    const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => new URL(path, url).href);
    if (named.length < 3) throw new Error(`the page names only ${named}`);
    for (const asset of named) {
      const { status } = await fetch(asset);
      if (status !== 200) throw new Error(`${asset}: ${status}`);
    }
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}

function compile(file, module, resolution, ...more) {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const flags = ["--strict", "--target", "es2022", "--outDir", "out", ...more];
  run(process.execPath, [tsc, ...flags, "--module", module, "--moduleResolution", resolution, file]);
}
