import { userInfo } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLoopback, nameTarget, parseAddress } from "../../src/connect/address.js";
import { SparkError } from "../../src/connect/error.js";

const TOKEN = "SPARK_CONNECT_AUTHENTICATE_TOKEN";
const kept = process.env[TOKEN];
beforeEach(() => {
  delete process.env[TOKEN];
});
afterEach(() => {
  if (kept === undefined) delete process.env[TOKEN];
  else process.env[TOKEN] = kept;
});

describe("an address", () => {
  it("needs no more than a host", () => {
    expect(parseAddress("sc://spark.example")).toEqual({
      host: "spark.example",
      port: 15002,
      secure: false,
      token: undefined,
      userId: process.env.SPARK_USER || userInfo().username,
      userAgent: "bonmf",
      sessionId: undefined,
      largest: 128 << 20,
      headers: {},
    });
  });

  it("may say everything", () => {
    const id = "4ae7e0ef-9d2f-4b1f-93c4-0d5a3ef6f1a1";
    const url = `sc://h:443/;use_ssl=true;token=a%3Bb=;user_id=J%C3%BCrgen;user_agent=me;session_id=${id};grpc_max_message_size=1000;x-Cluster-Id=7`;
    expect(parseAddress(url)).toEqual({
      host: "h",
      port: 443,
      secure: true,
      token: "a;b=",
      userId: "Jürgen",
      userAgent: "me",
      sessionId: id,
      largest: 1000,
      headers: { "x-cluster-id": "7" },
    });
  });

  it.each([
    ["sc://h", false],
    ["sc://h/", false],
    ["sc://h/;use_ssl=false", false],
    ["sc://h/;use_ssl=TRUE", true],
    ["sc://h/;token=t", true],
    ["sc://localhost/;token=t", false],
    ["sc://127.0.0.1:1/;token=t;use_ssl=false", false],
    ["sc://[::1]:1/;token=t", false],
    ["sc://localhost/;token=t;use_ssl=true", true],
    ["sc://localhost.example/;token=t", true],
  ])("%s speaks TLS: %s", (url, secure) => expect(parseAddress(url).secure).toBe(secure));

  it("takes the token from the environment where the address has none", () => {
    process.env[TOKEN] = "from outside";
    expect(parseAddress("sc://localhost").token).toBe("from outside");
    expect(parseAddress("sc://localhost/;token=own").token).toBe("own");
  });

  it("keeps the brackets of IPv6, as gRPC wants them", () => {
    expect(nameTarget(parseAddress("sc://[::1]:15002"))).toBe("[::1]:15002");
    expect(isLoopback({ host: "[::1]" })).toBe(true);
  });

  it.each([
    ["http://h:1", "not of the form sc://host:port"],
    ["sc://", "not of the form"],
    ["h:15002", "not of the form"],
    ["sc://me@h", "not of the form"],
    ["sc://h:", 'the port "" is not'],
    ["sc://h:99999", 'the port "99999" is not'],
    ["sc://h:1x", 'the port "1x" is not'],
    ["sc://h:1/db", "a path after the port"],
    ["sc://h/;use_ssl", '"use_ssl" has no value'],
    ["sc://h/;token=", '"token" has no value'],
    ["sc://h/;use_ssl=yes", 'use_ssl is "yes": write true or false'],
    ["sc://h/;tokn=1", '"tokn" is not a parameter: there are token, use_ssl,'],
    ["sc://h/;token=a;token=b", '"token" stands there twice'],
    ["sc://h/;token=50%", "write % as %25"],
    ["sc://h/;token=%0a", "characters that a header cannot carry"],
    ["sc://h/;token=t;use_ssl=false", "a token is not sent to h without TLS"],
    ["sc://h/;session_id=7", "not a UUID"],
    ["sc://h/;grpc_max_message_size=1MB", "not a number of bytes"],
  ])("%s is refused: %s", (url, reason) => {
    let error: unknown;
    try {
      parseAddress(url);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(SparkError);
    expect(error).toMatchObject({ code: "address", message: expect.stringContaining(reason) });
  });

  it.each([
    "sc//h/;token=hush",
    "sc://h:x/;token=hush",
    "sc://h/;token=hush;token=hush",
    "sc://h/;token=hush;use_ssl=1",
  ])("never shows the token", (url) => expect(() => parseAddress(url)).toThrow(/^(?!.*hush).*$/s));
});
