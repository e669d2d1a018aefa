import { BonmfError, OptionError } from "../errors.js";
import type { Dense } from "../matrix/dense.js";
import { checkValues, type Matrix, type Samples, toMatrix } from "../matrix/matrix.js";
import type { Scaler } from "../scale/scaler.js";

/** The first prototypes of a fit, k × m, scaled as the samples are. @param scaled their scaler, or how many features they have */
export function readPrototypes(init: Samples, k: number, scaled: number | Scaler, signed: boolean): Dense {
  const given = toPrototypes(init);
  const features = typeof scaled === "number" ? scaled : scaled.features;
  if (given.samples !== k || given.features !== features) {
    throw new OptionError(
      "init",
      init,
      `the given prototypes are ${given.samples} × ${given.features}, but k = ${k} of ${features} features are needed`,
    );
  }
  if (typeof scaled === "number" || scaled.name === "none") {
    checkValues(given, { signed });
    return given.toDense();
  }
  checkValues(given, { signed: true });
  const W = scaled.transform(given);
  checkValues(W, { signed });
  return W.toDense();
}

function toPrototypes(init: Samples): Matrix {
  try {
    return toMatrix(init, "f64");
  } catch (error) {
    if (!(error instanceof BonmfError)) throw error;
    throw new OptionError("init", init, `init: ${error.message.replace(/^samples/, "prototypes")}`);
  }
}
