import { createHash } from "node:crypto";
import { Dense, fit } from "bonmf";
import { describe, expect, it } from "vitest";
import { collectFindings, renderPage } from "../dist/index.js";
import { unpackFindings } from "../src/codec.js";

const HOSTILE = '</script><script>alert("1")</script><!--<b>';
const X = Dense.from([
  [5, 0],
  [4, 1],
  [0, 6],
  [1, 7],
]);
const model = await fit(X, { k: 2, seed: 1, featureNames: [HOSTILE, "b"] });
const labels = [HOSTILE, HOSTILE, "fine", "fine"];
const texts = { source: HOSTILE, command: HOSTILE };
const findings = await collectFindings(model, { X, labels, ids: labels, clusterNames: [HOSTILE, ""], ...texts });
const page = await renderPage(findings);

describe("the page", () => {
  it("asks nobody for anything", () => {
    expect(page).not.toMatch(/\s(src|href|action|data)\s*=\s*["']?(https?:)?\/\//i);
    expect(page).not.toMatch(/@import|url\(\s*["']?(https?:)?\/\//i);
    // Names of XML's vocabularies look like addresses and are none; licences may name where they are kept.
    const addresses = [...page.replace(/\/\*![\s\S]*?\*\//, "").matchAll(/https?:\/\/[^\s"'`)\\<]+/g)].map(
      ([address]) => address,
    );
    expect(addresses.filter((address) => !address.startsWith("http://www.w3.org/"))).toEqual([]);
    expect(page).toContain("default-src 'none'");
  });

  it("runs no script but its own, sends no form and keeps its address", () => {
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)!;
    const [, script] = /<script type="module">([\s\S]*?)<\/script>/.exec(page)!;
    const hash = createHash("sha256").update(script).digest("base64");
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining([`script-src 'sha256-${hash}'`, "form-action 'none'", "base-uri 'none'"]),
    );
  });

  it("holds names as data, whatever they are", () => {
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    expect(page).not.toContain("<!--");
    expect(page).not.toContain("<b>");
    expect(page).toContain("<title>script&gt;&lt;!--&lt;b&gt; · bonmf report</title>");
  });

  it("carries the findings as they are", () => {
    const [, data] = /<script type="application\/json" id="findings">([\s\S]*?)<\/script>/.exec(page)!;
    expect(unpackFindings(data)).toEqual(findings);
  });
});
