// Votes of the nearest samples beside scikit-learn's, from the classifier's file: the same shares for every class.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { classifier, fit, saveClassifier } from "../dist/bonmf.js";

/**
 * @param X IN Dense, the training samples
 * @param fresh IN rows that are asked about
 * @param run runs a script of this folder with arguments and returns what it printed, as JSON
 * @returns what differs
 */
export async function compareVotes(X, fresh, folder, run) {
  const y = Array.from({ length: X.samples }, (_, i) => Math.floor(3 * X.row(i)[0] + 2 * X.row(i)[1]) % 3);
  const model = await fit(X, { k: 5, seed: 1 });
  const path = join(folder, "votes.safetensors");
  const samples = join(folder, "asked.json");
  // Training samples among them: those decide alone where closer ones count more.
  const asked = [...fresh, ...Array.from({ length: 20 }, (_, i) => [...X.row(i)])];
  writeFileSync(samples, JSON.stringify(asked));
  const failures = [];
  for (const metric of ["angle", "distance"]) {
    for (const votes of ["equal", "closer"]) {
      const clf = await classifier(model, X, y, { scheme: "vote", neighbors: 9, metric, votes });
      writeFileSync(path, saveClassifier(clf));
      const { weights, probabilities } = run(["vote.py", path, samples]);
      const ours = clf.probabilities(asked).data;
      const apart = Math.max(...probabilities.map((p, at) => Math.abs(p - ours[at])));
      if ((weights === "distance") !== (votes === "closer"))
        failures.push(`the file of ${votes} votes says ${weights}`);
      if (!(apart < 1e-6)) failures.push(`${votes} votes by ${metric}: shares differ by ${apart}`);
    }
  }
  return failures;
}
