import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Dense, writeNpy } from "bonmf";
import { folder } from "./stage.js";

/** Samples around k centres, the same each time. */
export function writeBlobs(name, n, m, k) {
  let state = 1;
  const draw = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const centres = Float64Array.from({ length: k * m }, () => (draw() < 0.3 ? draw() * 9 : 0));
  const data = new Float32Array(n * m);
  for (let i = 0; i < n; i++) for (let f = 0; f < m; f++) data[i * m + f] = centres[(i % k) * m + f] + draw() * 4;
  const path = join(folder, name);
  writeFileSync(path, writeNpy(new Dense(n, m, data)));
  return path;
}
