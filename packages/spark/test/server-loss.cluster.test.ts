// What is lost in mid-fit on a cluster of its own: a worker, the server. Only where packages/spark/cluster/check.js runs.
import { AbortError, type Dense, fit, resume } from "bonmf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCluster } from "../cluster/cluster.js";
import { connect } from "../src/connect/index.js";
import { isLoss, sparkEngine } from "../src/index.js";
import { makeFolder, readDigits, spread } from "./digits.js";

const OPTIONS = { k: 10, seed: 3, maxIterations: 9 };

describe("a fit on a cluster that fails", () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  let X: Dense;
  let files: Awaited<ReturnType<typeof makeFolder>>;
  let paths: Awaited<ReturnType<typeof spread>>;

  beforeAll(async () => {
    cluster = await startCluster({ token: "open sesame" });
    X = await readDigits();
    files = await makeFolder();
    const session = await connect(cluster.url);
    paths = await spread(session, X, files.folder);
    await session.close();
  });
  afterAll(async () => {
    await cluster?.stop();
    await files?.remove();
  });

  const notes: string[] = [];
  const open = (lost?: AbortController) =>
    sparkEngine({ url: cluster.url, parquet: paths.dense, order: ["id"], lost, onNote: (note) => notes.push(note) });

  it("loses a worker, and with it time, but not the fit", async () => {
    const source = await open();
    const killed: Promise<void>[] = [];
    const onStep = ({ iteration }: { iteration: number }) => {
      if (iteration === 3) killed.push(cluster.killWorker(0));
    };
    const model = await fit(source, { ...OPTIONS, onStep });
    await Promise.all(killed);
    const local = await fit(X, OPTIONS);
    expect(killed.length).toBe(1);
    expect(notes).toEqual(["1 of 2 partitions are reloaded: their executors were lost or dropped them"]);
    expect(model.history).toEqual(local.history);
    expect(model.W.data).toEqual(local.W.data);
    const parquet = `${files.folder}/labels`;
    expect(await source.label(model, { parquet })).toEqual(local.counts);
    await source.close();
    cluster.startWorker(0);
  });

  it("loses the server, and goes on from the model it had reached", async () => {
    const lost = new AbortController();
    const source = await open(lost);
    const stopped: Promise<void>[] = [];
    const onStep = ({ iteration }: { iteration: number }) => {
      if (iteration === 4) stopped.push(cluster.restartConnect());
    };
    const error = await fit(source, { ...OPTIONS, signal: lost.signal, onStep }).catch((reason: unknown) => reason);
    await Promise.all(stopped);
    expect(error).toBeInstanceOf(AbortError);
    expect(isLoss((error as AbortError).cause)).toBe(true);
    const { model } = error as AbortError;
    expect(model?.iterations).toBe(4);
    await source.close();
    const again = await open();
    const late = await resume(model!, again);
    await again.close();
    const local = await fit(X, OPTIONS);
    expect(late.history).toEqual(local.history);
    expect(late.W.data).toEqual(local.W.data);
  });

  it("is refused without the right token", async () => {
    const wrong = cluster.url.replace("open sesame", "guess");
    await expect(sparkEngine({ url: wrong, query: "SELECT 1" })).rejects.toMatchObject({ code: "unauthenticated" });
  });
});
