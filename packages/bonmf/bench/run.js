// Measures the library beside its peers; see BENCHMARKS.md.

import { existsSync } from "node:fs";
import { readOptions } from "./options.js";

const options = readOptions(process.argv.slice(2));
if (!existsSync(new URL("../dist/bonmf.js", import.meta.url))) {
  console.error("bench: the library is not built: run npm run build first");
  process.exit(1);
}
const { ROWS, TASKS } = await import("./rows.js");
const rows = chooseRows();
if (options.list) {
  for (const { id } of rows) console.log(id);
  process.exit();
}
const { installPeers } = await import("./peers.js");
const { describeMachine } = await import("./machine.js");
const { measureRow } = await import("./measure.js");
const { hashBuild, keepResults } = await import("./report/store.js");
const { writeTable } = await import("./report/tables.js");
const { writeBars } = await import("./report/bars.js");
const { writeDocument } = await import("./report/document.js");

const build = hashBuild();
installPeers();
const machine = describeMachine();
console.log(`${machine.processor}\n${machine.software}`);
const results = [];
for (const row of rows) {
  console.error(`bench: ${row.id}`);
  const result = await measureRow(row, options, console.error);
  if (result) {
    results.push(result);
    // Row by row, so that an interrupted run has not been for nothing.
    const all = keepResults([result], build);
    if (options.write) writeDocument(all, machine);
  } else console.error(`bench: ${row.id} is left out: its data is missing (BONMF_DATA_DIR names the folder)`);
}
const tasks = Object.keys(TASKS).filter((task) => results.some((result) => result.task === task));
for (const task of tasks) {
  const table = writeTable(
    task,
    results.filter((result) => result.task === task),
  );
  console.log(`\n## ${TASKS[task]}\n\n${table}`);
}
console.log(`\n## Bars\n\n${writeBars(results)}`);

function chooseRows() {
  const { only, quick } = options;
  const named = ROWS.filter(({ id, task }) => only.length === 0 || only.includes(id) || only.includes(task));
  const unknown = only.filter((name) => !ROWS.some(({ id, task }) => id === name || task === name));
  if (unknown.length > 0) {
    console.error(`bench: ${unknown.join(", ")} is no task or row; --list names them`);
    process.exit(2);
  }
  return quick ? named.filter((row) => row.quick) : named;
}
