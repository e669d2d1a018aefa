import { parentPort } from "node:worker_threads";
import { doTasks } from "./fill.js";
import type { Order } from "./order.js";

parentPort?.once("message", (order: Order) => {
  for (const done of doTasks(order)) if (done) parentPort?.postMessage(done);
});
