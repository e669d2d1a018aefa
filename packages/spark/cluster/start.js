// Starts a Spark cluster on loopback and keeps it until Ctrl-C: node packages/spark/cluster/start.js [--workers 2]
import { parseArgs } from "node:util";
import { startCluster } from "./cluster.js";

const { values } = parseArgs({ options: { workers: { type: "string" }, token: { type: "string" } } });
const workers = Number(values.workers ?? 2);
const cluster = await startCluster({ workers, token: values.token, note: console.error });
console.log(`SPARK_CONNECT_URL=${cluster.url}`);
console.error(`master ${cluster.master}, ${workers} workers, logs in ${cluster.folder}; Ctrl-C stops everything`);
setInterval(() => {}, 2 ** 30);
