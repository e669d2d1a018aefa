import { fit } from "bonmf";
import { streamSource } from "bonmf/engine";
import type { Call } from "../../command.js";
import { explainData } from "../explain.js";
import { nameSource } from "../load.js";
import { fitOptions } from "../options.js";
import { leftOf, packSamples } from "../packing.js";
import type { Supply } from "./supply.js";

/** Samples that stay on disk; no more than `memory` bytes are used. */
export async function openDisk(call: Call, memory: number): Promise<Supply> {
  const { threads } = fitOptions(call.options);
  const source = nameSource(call);
  leftOf(memory, threads, 0);
  const packed = await packSamples(call, null, memory);
  const { stored, weights, scaler, labels, header } = packed;
  const stream = streamSource(stored, { memory: leftOf(memory, threads, 0), weights, scaler });
  return {
    source,
    samples: header.samples,
    features: scaler.features,
    classes: labels,
    fit: ({ scale: _, ...options }) =>
      fit(stream, {
        ...options,
        featureNames: header.names ?? undefined,
        tags: { recipe: JSON.stringify(header.recipe), source: header.source },
      }).catch((error: unknown) => {
        throw explainData(error, source);
      }),
    measure: null,
    close: () => packed.release(),
  };
}
