import { LEAST_KNOWN, massesOf } from "../../kernel/plain/divide.js";
import type { Sums } from "../../kernel/sums.js";
import type { Method } from "../method.js";
import { penaltyOf, weightsOfH, weightsOfW } from "../penalty.js";
import { divideW, lossOfProducts } from "../update.js";
import { nmf } from "./nmf.js";

/**
 * Lee and Seung's updates for the Kullback–Leibler divergence D(X‖WH) = Σ x ln(x/(WH)) − x + WH: the method `nmf` with that loss.
 * Totals of a sweep are those of X ⊘ WH in place of X. Of samples with gaps, all sums are those of known entries.
 */
export const kullbackLeibler: Method = {
  ...nmf,
  rule: "divide",
  encode: "divide",
  hold: { rule: "divide", sweeps: 0 },
  stepOf: (W, _sums, settings) => ({ ...weightsOfH(settings, W.length / settings.k), sweeps: 1 }),
  updateW: (W, sums, settings, survey) => divideW(W, sums.XHt, codesOf(sums), weightsOfW(settings, survey)),
  potential: ({ W, sums }, survey, settings) =>
    Math.max(0, sums.loss + massOf(W, sums)) + penaltyOf(W, sums, settings, survey),
  squaredError: ({ W, sums }, { normSq }, { k }) => lossOfProducts(W, sums, k, normSq),
};

/** The sums of H, k; of samples with gaps k × m, those of the samples that know each feature. */
function codesOf({ codes, listedCodes, lacking }: Sums): Float64Array {
  if (listedCodes.length === 0) return codes;
  if (!lacking) return listedCodes;
  const m = listedCodes.length / codes.length;
  return listedCodes.map((lacked, q) => {
    const all = codes[Math.floor(q / m)];
    return all - lacked > LEAST_KNOWN * all ? all - lacked : 0;
  });
}

/** Σ (WH), of samples with gaps where it is known. */
function massOf(W: Float64Array, sums: Sums): number {
  const codes = codesOf(sums);
  const parts = codes.length === W.length ? W : massesOf(W, codes.length);
  return parts.reduce((sum, own, q) => sum + own * codes[q], 0);
}
