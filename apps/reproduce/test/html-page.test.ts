import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { toPage } from "../src/html-page.js";
import { showPrototypes } from "../src/prototypes.js";
import { Document } from "../src/svg-document.js";
import { makeCells, makeResults } from "./table.js";

const columns = { nearest: [0.8, 0.81, 0.82], commonest: [0.5, 0.5, 0.5], auto: [0.9, 0.91, 0.92] };
const curve = { curve: [0.9, 0.5, 0.4] };
const page = toPage(makeResults(columns), makeCells(columns, curve));

describe("the page", () => {
  it("needs nothing from anywhere", () => {
    const addresses = page.matchAll(/(?:src|href)="([^"]*)"|url\(([^)]*)\)/g);
    for (const [, attribute, style] of addresses) expect(attribute ?? style).toMatch(/^(#|data:)/);
    expect(page).not.toMatch(/<script|@import/);
  });

  it("has a plot of accuracies, one of times and one of convergence", () => {
    expect(page.match(/<svg /g)).toHaveLength(3);
    expect(page).toContain('aria-label="accuracy of each method"');
    expect(page).toContain("‖X − WH‖ / ‖X‖");
    // One mean and one interval a column, and a ring for the only one that the paper has.
    const [accuracy] = page.match(/<svg [\s\S]*?<\/svg>/)!;
    expect(accuracy.match(/<circle /g)).toHaveLength(4);
  });

  it("is dark where pages are dark", () => expect(page).toContain("@media (prefers-color-scheme: dark)"));

  it("is well formed", () => {
    const open: string[] = [];
    for (const [, end, name] of page.matchAll(/<(\/?)([a-z]+)[^>]*>/gi)) {
      if (["meta", "img", "doctype", "html"].includes(name)) continue;
      if (end === "") open.push(name);
      else if (name === "li" || name === open.at(-1)) open.pop();
      else expect.fail(`</${name}> closes <${open.at(-1)}>`);
    }
    expect(open).toEqual([]);
  });

  it("shows the prototypes there are", () => {
    const bytes = Buffer.from(Uint8Array.from({ length: 12 }, (_, i) => 20 * i)).toString("base64");
    expect(toPage(makeResults(columns), makeCells(columns, { prototypes: bytes }))).not.toContain("<img");
    const pictures = showPrototypes(bytes, 6, { width: 3 });
    const images = [...pictures.matchAll(/base64,([^"]*)"/g)].map(([, data]) => Buffer.from(data, "base64"));
    expect(images).toHaveLength(2);
    expect([images[1].readUInt32BE(16), images[1].readUInt32BE(20)]).toEqual([3, 2]);
    const length = images[1].readUInt32BE(33);
    expect([...inflateSync(images[1].subarray(41, 41 + length))]).toEqual([0, 120, 140, 160, 0, 180, 200, 220]);
    expect(showPrototypes(bytes, 6, "strokes")).toContain('<polyline points="0,235 40,195 80,155"/>');
  });
});

it("the document writes out what is put into it", () => {
  const document = new Document();
  const svg = document.createElementNS("", "svg");
  const g = svg.appendChild(document.createElementNS("", "g"));
  g.setAttribute("title", 'a "b" & c');
  const first = svg.insertBefore(document.createElementNS("", "text"), g);
  first.textContent = "1 < 2";
  first.style.setProperty("fill", "red");
  expect(String(svg)).toBe('<svg><text style="fill:red;">1 &lt; 2</text><g title="a &quot;b&quot; &amp; c"></g></svg>');
  g.appendChild(first);
  expect(String(svg)).toMatch(/^<svg><g [^>]*><text/);
});
