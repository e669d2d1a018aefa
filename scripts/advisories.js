// Known weaknesses of what package-lock.json names, from the registry's advisories: none in what people install, none of
// high severity in the tools. A registry that gives no advisories checks nothing, which is said and not counted.
import { spawnSync } from "node:child_process";
import { finishChecks, report } from "./checks.js";
import { root } from "./packages.js";

const AUDITS = [
  {
    title: "no advisory for what people install",
    args: ["--omit=dev"],
    severities: ["low", "moderate", "high", "critical"],
  },
  { title: "no severe advisory for the tools", args: [], severities: ["high", "critical"] },
];

for (const { title, args, severities } of AUDITS) {
  const { stdout, error } = spawnSync("npm", ["audit", "--json", ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    shell: process.platform === "win32",
  });
  if (error) throw error;
  const answer = readAnswer(stdout);
  if (answer) report(title, listProblems(answer, severities));
  else console.log(`not checked: ${title}: the registry gives no advisories`);
}
finishChecks();

/** @returns undefined if the registry did not answer the question */
function readAnswer(text) {
  try {
    const answer = JSON.parse(text);
    return answer.vulnerabilities && answer.metadata ? answer : undefined;
  } catch {
    return undefined;
  }
}

function listProblems({ vulnerabilities }, severities) {
  return Object.values(vulnerabilities)
    .filter(({ severity }) => severities.includes(severity))
    .map(({ name, severity, range, via }) => {
      const titles = via.filter((one) => typeof one === "object").map((one) => `${one.title} (${one.url})`);
      return `${name} ${range}, ${severity}: ${titles.join("; ") || `through ${via.join(", ")}`}`;
    });
}
