import { spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { installSpark } from "./install.js";

const HOST = "127.0.0.1";
/** Only ends what hangs: a busy machine may take minutes. */
const PATIENCE_MS = 600_000;
const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * A standalone Spark cluster on loopback: a master, workers, and a Connect server whose executors they run.
 *
 * @param options `workers` (2), `cores` (1) and `memory` ("1536m") of each; `token` that the Connect server wants;
 * `path` for the executors instead of this process's own; `conf` for the Connect server; `note` for progress
 */
export async function startCluster(options = {}) {
  const { workers = 2, cores = 1, memory = "1536m", token, path = process.env.PATH, conf = {}, note } = options;
  const { home, python } = installSpark(note);
  const folder = mkdtempSync(join(tmpdir(), "bonmf-spark-"));
  const [masterPort, connectPort] = await findPorts(2);
  const master = `spark://${HOST}:${masterPort}`;
  const running = new Set();

  const launch = (name, args, environment = {}) => {
    const env = { ...process.env, SPARK_HOME: home, SPARK_LOCAL_IP: HOST, SPARK_LOCAL_HOSTNAME: HOST, ...environment };
    // A file, not a pipe: nothing must wait until this process reads. A group of its own: what a daemon starts (executors
    // and their scripts) ends with it.
    const path = join(folder, `${name}.log`);
    const log = openSync(path, "a");
    const child = spawn(join(home, "bin/spark-class"), args, { env, detached: true, stdio: ["ignore", log, log] });
    closeSync(log);
    const daemon = { name, child, path, ended: new Promise((resolve) => child.on("exit", resolve)) };
    running.add(daemon);
    void daemon.ended.then(() => running.delete(daemon));
    return daemon;
  };
  const end = async (daemon, signal = "SIGKILL") => {
    if (!running.has(daemon)) return;
    try {
      process.kill(-daemon.child.pid, signal);
    } catch {
      // It has just ended by itself.
    }
    await daemon.ended;
  };
  const startWorker = (number) => {
    const work = join(folder, `worker-${number}`);
    mkdirSync(work);
    const address = ["--host", HOST, "--webui-port", "0", "--cores", String(cores), "--memory", memory];
    const args = ["org.apache.spark.deploy.worker.Worker", ...address, "--work-dir", work, master];
    return launch(`worker-${number}`, args, { PATH: path });
  };
  const startConnect = async () => {
    const settings = {
      "spark.connect.grpc.binding.address": HOST,
      "spark.connect.grpc.binding.port": connectPort,
      "spark.driver.host": HOST,
      "spark.executor.memory": "1g",
      "spark.ui.enabled": false,
      "spark.local.dir": join(folder, "local"),
      "spark.sql.warehouse.dir": join(folder, "warehouse"),
      "spark.sql.shuffle.partitions": 4,
      ...(token ? { "spark.connect.authenticate.token": token } : {}),
      ...conf,
    };
    const args = Object.entries(settings).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
    const service = "org.apache.spark.sql.connect.service.SparkConnectServer";
    const submit = ["org.apache.spark.deploy.SparkSubmit", "--master", master, "--driver-memory", "1g"];
    const daemon = launch("connect", [...submit, ...args, "--class", service, "spark-internal"]);
    await waitFor(daemon, () => answers(connectPort));
    return daemon;
  };

  const cluster = {
    url: `sc://${HOST}:${connectPort}${token ? `/;token=${token}` : ""}`,
    master,
    home,
    python,
    folder,
    workers: [],
    /** Takes a worker away with its executors, as a machine that fails does. */
    killWorker: (number) => end(cluster.workers[number]),
    startWorker: (number) => {
      cluster.workers[number] = startWorker(`${number}-${Date.now()}`);
    },
    /** Ends the Connect server with all its sessions, and starts another at the same address. */
    async restartConnect() {
      await cluster.stopConnect();
      await cluster.startConnect();
    },
    stopConnect: () => end(cluster.connect),
    async startConnect() {
      cluster.connect = await startConnect();
    },
    async stop() {
      process.off("exit", killAll);
      for (const signal of ENDINGS) process.off(signal, endAll);
      await Promise.all([...running].map((daemon) => end(daemon)));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  const killAll = () => {
    for (const { child } of running) process.kill(-child.pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const endAll = (signal) => process.exit(128 + constants.signals[signal]);
  process.on("exit", killAll);
  // Whoever ends this process by a signal ends the cluster too.
  for (const signal of ENDINGS) process.once(signal, endAll);
  try {
    const args = ["--host", HOST, "--port", String(masterPort), "--webui-port", "0"];
    const daemon = launch("master", ["org.apache.spark.deploy.master.Master", ...args]);
    await waitFor(daemon, () => answers(masterPort));
    cluster.workers = Array.from({ length: workers }, (_, number) => startWorker(number));
    await Promise.all(
      cluster.workers.map((w) => waitFor(w, () => readFileSync(w.path, "utf8").includes("Successfully registered"))),
    );
    await cluster.startConnect();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function waitFor(daemon, ready) {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await ready())) {
    const over = daemon.child.exitCode !== null || daemon.child.signalCode !== null;
    if (over || Date.now() > deadline) {
      const log = readFileSync(daemon.path, "utf8").slice(-2000);
      throw new Error(`${daemon.name} ${over ? "ended" : "was not ready in time"}:\n${log}`);
    }
    await sleep(100);
  }
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, HOST);
    socket.once("connect", () => resolve(true) ?? socket.destroy());
    socket.once("error", () => resolve(false));
  });
}

async function findPorts(count) {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map((server) => new Promise((resolve) => server.listen(0, HOST, () => resolve(server.address().port)))),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
