// Counts and prints the checks of a script: "ok" or "FAIL", then what is wrong. .ci/run reads the last line.
const MOST_LINES = 40;
const count = { passed: 0, failed: 0 };

/** Runs one check; what it throws is what is wrong. */
export async function check(title, work) {
  try {
    await work();
    report(title, []);
  } catch (error) {
    report(
      title,
      String(error?.message ?? error)
        .trim()
        .split("\n")
        .slice(0, MOST_LINES),
    );
  }
}

/** One check that was made: passed if there are no problems. */
export function report(title, problems) {
  const passed = problems.length === 0;
  count[passed ? "passed" : "failed"]++;
  console.log(`${passed ? "ok  " : "FAIL"} ${title}`);
  for (const problem of problems) console.log(`     ${problem}`);
}

export function hasFailed() {
  return count.failed > 0;
}

/** Prints the counts; the process ends with 1 where a check failed. */
export function finishChecks() {
  console.log(`${count.passed} passed, ${count.failed} failed`);
  process.exitCode = hasFailed() ? 1 : 0;
}
