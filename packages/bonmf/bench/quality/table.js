// The tables of a run: seconds to within 1 % and 0.1 % of the best known error, passes, labels.
const NEAR = [1.01, 1.001];

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const figure = (seconds) => (seconds === null ? "–" : seconds.toPrecision(3));

/** Median wall and processor seconds and steps to an error; null where it was not reached. */
function reach({ traces }, error) {
  const ends = traces.map((trace) => {
    const step = trace.findIndex(([reached]) => reached <= error);
    return step < 0 ? null : [trace[step][1], trace[step][2], step + 1];
  });
  return ends.includes(null) ? null : [0, 1, 2].map((part) => median(ends.map((end) => end[part])));
}

export function printTables(rows) {
  for (const near of NEAR) {
    const label = `${((near - 1) * 100).toPrecision(1)} %`;
    const names = ["hals", "nmf", "cd", "mu", "nmf-rs"];
    console.log(`\nWithin ${label} of the best known error: wall seconds (processor seconds; steps)\n`);
    console.log(`| row | best error | ${names.join(" | ")} | processor time of the best peer / hals |`);
    console.log(`|${" --- |".repeat(names.length + 3)}`);
    const ratios = [];
    for (const { id, best, results } of rows) {
      const at = names.map((name) => results[name] && reach(results[name], near * best));
      const peers = at.slice(2).flatMap((end) => (end ? [end[1]] : []));
      const ratio = at[0] && peers.length > 0 ? Math.min(...peers) / at[0][1] : null;
      if (ratio !== null) ratios.push(ratio);
      const cells = at.map((end) => (end ? `${figure(end[0])} (${figure(end[1])}; ${end[2]})` : "–"));
      console.log(
        `| ${id} | ${best.toFixed(6)} | ${cells.join(" | ")} | ${ratio === null ? "–" : `**${ratio.toFixed(2)}**`} |`,
      );
    }
    const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
    if (ratios.length > 0) console.log(`\nGeometric mean: ${mean.toFixed(2)} ×`);
  }
  printIterations(rows);
  console.log("\nNMI of the strongest code against the classes, where each run ended\n");
  for (const { id, results } of rows) {
    const cells = Object.entries(results).map(([name, { nmi }]) => `${name} ${nmi === null ? "–" : nmi.toFixed(3)}`);
    console.log(`- ${id}: ${cells.join(", ")}`);
  }
}

/** What 128-bit multiply and add reach on one thread. */
const PEAK = 33e9;

/** Processor time of one iteration of `nmf` and of scikit-learn's `mu`, and how near the two products of the former come to the peak. */
function printIterations(rows) {
  console.log("\nOne iteration, processor time\n");
  console.log("| row | nmf, ms | mu, ms | mu / nmf | operations of the products | at 33 GFLOP/s, ms | share |");
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  const ratios = [];
  for (const { id, values, results } of rows) {
    const [ours, mu] = ["nmf", "mu"].map((name) => results[name] && stepOf(results[name]));
    if (!ours || !mu || !values) continue;
    // W'X and XH', a multiplication and an addition for each value that is not 0 and each component.
    const operations = 4 * values * Number(id.split("-k")[1]);
    const least = operations / PEAK;
    ratios.push(mu / ours);
    const cells = [1000 * ours, 1000 * mu, mu / ours].map((value) => value.toPrecision(3));
    const share = `${Math.round((100 * least) / ours)} %`;
    console.log(
      `| ${id} | ${cells.join(" | ")} | ${(operations / 1e6).toFixed(0)} M | ${(1000 * least).toPrecision(3)} | ${share} |`,
    );
  }
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  if (ratios.length > 0) console.log(`\nGeometric mean: ${mean.toFixed(2)} ×`);
}

/** The median of the processor seconds between steps. */
function stepOf({ traces }) {
  return median(traces.flatMap((trace) => trace.slice(1).map(([, , cpu], step) => cpu - trace[step][2])));
}
