// Linear classifiers beside scikit-learn's: the same objective from the same samples, and the same probabilities from the file.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { classifier, fit, saveClassifier } from "../dist/bonmf.js";

/**
 * @param X IN Dense
 * @param run runs a script of this folder with arguments and returns what it printed, as JSON
 * @returns what differs
 */
export async function compareLogistic(X, folder, run) {
  const rows = Array.from({ length: X.samples }, (_, i) => Array.from(X.row(i)));
  const failures = [];
  for (const classes of [2, 3]) {
    const y = rows.map(([a, b, c], i) => Math.floor(3 * (a + b * c) + (i % 5) / 3) % classes);
    for (const scheme of ["linear", "linear+codes"]) {
      const model = await fit(X, { k: 5, scale: "standard", seed: 1 });
      const clf = await classifier(model, X, y, { scheme, penalty: 0.5 });
      const path = join(folder, "classifier.safetensors");
      writeFileSync(path, saveClassifier(clf));
      const samples = join(folder, "labelled.json");
      writeFileSync(samples, JSON.stringify({ rows, y, penalty: 0.5 }));
      const { probabilities, objective, best } = run(["logistic.py", path, samples]);
      const ours = clf.probabilities(X).data;
      const apart = Math.max(...probabilities.map((p, at) => Math.abs(p - ours[at])));
      if (!(apart < 1e-6))
        failures.push(`${scheme}, ${classes} classes: probabilities from the file differ by ${apart}`);
      if (!(objective <= best * (1 + 1e-4))) {
        failures.push(`${scheme}, ${classes} classes: the objective is ${objective}, scikit-learn's ${best}`);
      }
    }
  }
  return failures;
}
