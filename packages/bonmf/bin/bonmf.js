#!/usr/bin/env node
// The library's `bonmf` command: starts the one of bonmf-cli where that is installed, else says how to get it.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const command = findCommand([import.meta.url, pathToFileURL(join(process.cwd(), "package.json"))]);
if (command) await import(pathToFileURL(command).href);
else {
  const args = process.argv.slice(2).join(" ");
  process.stderr.write(
    "error: the bonmf command is a package of its own, bonmf-cli, which is not installed\n" +
      `hint: npm install bonmf-cli, or run it without installing: npx bonmf-cli ${args}`.trimEnd() +
      "\n",
  );
  process.exitCode = 1;
}

/** Beside this package, then in the project. */
function findCommand(places) {
  for (const place of places) {
    try {
      return createRequire(place).resolve("bonmf-cli/bin/bonmf.js");
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return null;
}
