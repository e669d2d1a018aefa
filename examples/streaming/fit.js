// Data larger than memory. Samples are written to a file in chunks, fitted from there with a bound on the memory, and
// predicted in chunks. The result has the same bits as a fit in memory.
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Dense, fit } from "bonmf";
import { streamSource } from "bonmf/engine";

const SAMPLES = 100_000;
const FEATURES = 32;
const CHUNK = 10_000;
const MEMORY = 10e6; // bytes; the samples take 12.8 MB

const folder = await mkdtemp(join(tmpdir(), "bonmf-streaming-"));
const path = join(folder, "samples.f32");
try {
  const file = await open(path, "w");
  for (let first = 0; first < SAMPLES; first += CHUNK) await file.write(makeChunk(first));
  await file.close();

  const source = streamSource(
    {
      samples: SAMPLES,
      features: FEATURES,
      precision: "f32",
      kind: "dense",
      part: 128,
      starts: Float64Array.of(0), // the first sample begins at byte 0
      reader: { module: new URL("reader.js", import.meta.url).href, options: { path } },
    },
    { memory: MEMORY },
  );
  const model = await fit(source, { k: 4, init: "plusplus", seed: 1 });
  console.log(
    `${model.iterations} iterations over ${(SAMPLES * FEATURES * 4) / 1e6} MB with ${MEMORY / 1e6} MB of memory`,
  );

  const counts = new Uint32Array(model.k);
  for (let first = 0; first < SAMPLES; first += CHUNK) {
    for (const cluster of model.predict(new Dense(CHUNK, FEATURES, makeChunk(first)))) counts[cluster]++;
  }
  console.log(`predicted: ${counts.join(", ")}; fitted: ${model.counts.join(", ")}`);
} finally {
  await rm(folder, { recursive: true });
}

/** Samples `first` … `first + CHUNK`: four clusters. In your program they come from a database, a socket or files. */
function makeChunk(first) {
  const values = new Float32Array(CHUNK * FEATURES);
  for (let at = 0; at < values.length; at++) {
    const sample = first + Math.floor(at / FEATURES);
    const noise = ((sample * 7919 + at * 104_729) % 1000) / 1000;
    values[at] = noise + (at % 4 === sample % 4 ? 5 : 0);
  }
  return values;
}
