#!/usr/bin/env node
// Starts the command. In a checkout npm links this file before anything is built.
import { existsSync } from "node:fs";

const main = new URL("../dist/main.js", import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write("error: the bonmf command is not built yet\nhint: npm run build\n");
  process.exitCode = 1;
}
