import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { type AddressInfo, createServer as createTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Metadata, ServerCredentials, status } from "@grpc/grpc-js";
import { BonmfError } from "bonmf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, SparkError } from "../../src/connect/index.js";
import { ErrorInfo, Status } from "../../src/connect/messages.js";
import { type FakeServer, openServer } from "./server.js";

const folder = mkdtempSync(join(tmpdir(), "bonmf-tls-"));
const certificate = join(folder, "cert.pem");
let plain: FakeServer;
let secure: FakeServer;

beforeAll(async () => {
  const key = join(folder, "key.pem");
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files], {
    stdio: "pipe",
  });
  const pair = { private_key: readFileSync(key), cert_chain: readFileSync(certificate) };
  plain = await openServer({});
  secure = await openServer({}, ServerCredentials.createSsl(null, [pair]));
});

afterAll(() => {
  plain?.close();
  secure?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function fail(url: string): Promise<SparkError> {
  const error = await connect(url).then(
    (session) => session.close().then(() => new Error(`${url} was reached`)),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SparkError);
  expect(error).toBeInstanceOf(BonmfError);
  expect((error as SparkError).message).not.toContain("\n");
  return error as SparkError;
}

describe("an address that cannot be used", () => {
  it("says that there is no answer at a closed port", async () => {
    const server = await openServer({});
    server.close();
    const error = await fail(`sc://127.0.0.1:${server.port}`);
    expect(error.code).toBe("unreachable");
    expect(error.message).toBe(`no answer from 127.0.0.1:${server.port}: is a Spark Connect server running there?`);
  });

  it("says that there is no such host", async () => {
    const error = await fail("sc://no-such-host.invalid:15002");
    expect(error).toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("no host no-such-host.invalid"),
    });
  });

  it("says that the server speaks no TLS", async () => {
    const error = await fail(`sc://localhost:${plain.port}/;use_ssl=true`);
    expect(error).toMatchObject({ code: "tls", message: expect.stringContaining("leave out use_ssl=true") });
  });

  it("says that the server speaks TLS", async () => {
    const error = await fail(`sc://localhost:${secure.port}`);
    expect(error).toMatchObject({ code: "tls", message: expect.stringContaining("add use_ssl=true") });
  });

  it("says that a certificate is not trusted", async () => {
    const error = await fail(`sc://localhost:${secure.port}/;use_ssl=true;token=hush`);
    expect(error).toMatchObject({
      code: "tls",
      message: expect.stringMatching(/not trusted \(self-signed certificate.*\): .*NODE_EXTRA_CA_CERTS$/),
    });
  });

  it("says that a web server is no Spark Connect server", async () => {
    const web = createHttp((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await once(web, "listening");
    const error = await fail(`sc://127.0.0.1:${(web.address() as AddressInfo).port}`);
    web.closeAllConnections();
    web.close();
    expect(["unreachable", "protocol"]).toContain(error.code);
  });

  it("can be given up on", async () => {
    const silent = createTcp().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    await expect(connect(`sc://127.0.0.1:${port}`, { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
    silent.close();
  });
});

describe("a token", () => {
  it("goes as a bearer's, and its refusal is told", async () => {
    const server = await openServer({
      answers: {
        AnalyzePlan(_, metadata) {
          if (metadata.get("authorization")[0] !== "Bearer right")
            throw { code: status.UNAUTHENTICATED, details: "Invalid authentication token" };
          return { sparkVersion: { version: "4.0.1" }, serverId: "first" };
        },
      },
    });
    const url = `sc://127.0.0.1:${server.port}`;
    expect(await fail(`${url}/;token=wrong`)).toMatchObject({
      code: "unauthenticated",
      message: expect.stringMatching(/refuses the token: Invalid authentication token$/),
    });
    expect(await fail(url)).toMatchObject({
      code: "unauthenticated",
      message: expect.stringContaining("wants a token"),
    });
    const session = await connect(`${url}/;token=right;x-cluster=7`);
    expect(await session.version()).toBe("4.0.1");
    await session.close();
    expect(server.heard.at(-1)?.metadata.get("x-cluster")).toEqual(["7"]);
    server.close();
  });

  it("goes by TLS to a server whose certificate is trusted", async () => {
    const built = fileURLToPath(new URL("../../dist/connect/index.js", import.meta.url));
    const program = `
      import { connect } from ${JSON.stringify(built)};
      const session = await connect("sc://localhost:${secure.port}/;use_ssl=true;token=right");
      console.log(await session.version());
      await session.close();`;
    const args = ["--input-type=module", "--eval", program];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: undefined },
    });
    expect(stdout).toBe("4.0.1\n");
    expect(secure.heard.at(-1)?.metadata.get("authorization")).toEqual(["Bearer right"]);
  });
});

describe("an error of Spark", () => {
  it("is told in full, by its class", async () => {
    const info = {
      reason: "org.apache.spark.sql.AnalysisException",
      metadata: [
        { key: "errorId", value: "e1" },
        { key: "errorClass", value: "TABLE_OR_VIEW_NOT_FOUND" },
      ],
    };
    const trailers = new Metadata();
    const details = [{ typeUrl: "type.googleapis.com/google.rpc.ErrorInfo", value: ErrorInfo.encode(info) }];
    trailers.set("grpc-status-details-bin", Buffer.from(Status.encode({ message: "cut", details })));
    const server = await openServer({
      answers: {
        Config() {
          throw { code: status.INTERNAL, details: "[TABLE_OR_VIEW_NOT_FOUND] The ta...", metadata: trailers };
        },
        FetchErrorDetails: (request) => ({
          rootErrorIdx: 1,
          errors: [
            { message: "its cause" },
            {
              message: `[TABLE_OR_VIEW_NOT_FOUND] The table ${request.errorId} is not there.\nLook again.`,
              sparkThrowable: { errorClass: "TABLE_OR_VIEW_NOT_FOUND", sqlState: "42P01" },
            },
          ],
        }),
      },
    });
    const session = await connect(`sc://127.0.0.1:${server.port}`);
    const error = await session.config("spark.x").catch((reason: unknown) => reason);
    await session.close();
    server.close();
    expect(error).toMatchObject({
      code: "missing",
      errorClass: "TABLE_OR_VIEW_NOT_FOUND",
      sqlState: "42P01",
      message: "[TABLE_OR_VIEW_NOT_FOUND] The table e1 is not there.",
      text: "[TABLE_OR_VIEW_NOT_FOUND] The table e1 is not there.\nLook again.",
    });
  });

  it("is told once a session is closed", async () => {
    const session = await connect(`sc://127.0.0.1:${plain.port}`);
    await session.close();
    await session.close();
    await expect(session.version()).rejects.toMatchObject({ code: "closed" });
    await expect(session.collect("select 1")).rejects.toMatchObject({ code: "closed" });
  });
});
