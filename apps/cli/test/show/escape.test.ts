import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOSTILE_NAMES } from "../../../../packages/data/test/fixtures/hostile-names.js";
import { escapeControls, escapeJson, stripColours, toTerminal } from "../../src/show/escape.js";
import { openTerminal } from "../../src/show/terminal.js";
import { makeStyle } from "../../src/show/text.js";

const CONTROL = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

function listen(given: { json?: boolean; isTTY?: boolean } = {}) {
  const heard = { out: "", err: "" };
  const env = { FORCE_COLOR: "1", TERM: "xterm" };
  const terminal = openTerminal(
    {
      stdout: { write: (text) => (heard.out += text), isTTY: given.isTTY ?? false },
      stderr: { write: (text) => (heard.err += text), isTTY: given.isTTY ?? false },
      env,
    },
    given,
  );
  return { terminal, heard };
}

describe("names from files", () => {
  it("are shown with visible escapes and else as they are", () => {
    expect(escapeControls("\x1b[2Jgone\r\nnext\t\u202e\u009b\ud800")).toBe(
      "\\u001b[2Jgone\\r\\nnext\\t\\u202e\\u009b\\ud800",
    );
    expect(escapeControls("größe 日本 👩‍👧")).toBe("größe 日本 👩‍👧");
  });

  it.each(Object.keys(HOSTILE_NAMES))("bring no control character to a terminal: %s", (key) => {
    const name = HOSTILE_NAMES[key];
    const { terminal, heard } = listen({ isTTY: true });
    terminal.out(name);
    terminal.note(name);
    terminal.data(name);
    terminal.progress(name).end();
    const written = heard.out + heard.err;
    expect(written.replaceAll("\n", "")).not.toMatch(CONTROL);
    expect(written.length).toBeLessThan(20_000);
  });

  it("cannot bring colours, and lose none of ours", () => {
    const { terminal, heard } = listen();
    terminal.out(`${terminal.style.bad("\x1b[32mx")}\x1b[1my`);
    expect(heard.out).toBe("\x1b[31m\\u001b[32mx\x1b[39m\\u001b[1my\n");
  });

  it("are cut in the middle where they are very long", () => {
    const cut = toTerminal(`start ${"x".repeat(100_000)} end\nnext`);
    expect(cut).toMatch(/^start x+… \(96,010 more characters\) …x+ end\nnext$/);
    expect(toTerminal(makeStyle(true).bad("x".repeat(5000)))).not.toContain("\x1b");
  });
});

it("leaves lines for other programs as they are, unless a terminal shows them", () => {
  const line = `a\x1b[2J,${"b".repeat(9000)}\n`;
  const piped = listen();
  piped.terminal.data(line);
  expect(piped.heard.out).toBe(line);
});

it("writes JSON that means the same and holds no control character", () =>
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (codes) => {
      const text = String.fromCharCode(...codes);
      const json = escapeJson(JSON.stringify({ text }));
      expect(json).not.toMatch(CONTROL);
      expect(JSON.parse(json)).toEqual({ text });
    }),
  ));

it("takes away the colours of ours alone", () =>
  expect(stripColours(`${makeStyle(true).dim("a")}\x1b[2m`)).toBe("a\x1b[2m"));
