import { describe, expect, it } from "vitest";
import { helpAll, helpCommand } from "../../src/args/help.js";
import { COMMANDS } from "../../src/commands/index.js";
import { stripColours, toTerminal } from "../../src/show/escape.js";
import { makeStyle, widthOf } from "../../src/show/text.js";

const style = makeStyle(false);

describe.each(COMMANDS)("help of $name", ({ name, summary, load }) => {
  it("says what --help of all says", async () => {
    const command = await load();
    expect(command.name).toBe(name);
    expect(command.summary).toBe(summary);
  });

  it("shows every option once, groups together, and examples", async () => {
    const command = await load();
    const text = helpCommand(command, { style, width: 100 });
    for (const option of command.options) {
      expect(text.match(new RegExp(`^ +(-\\w, )?--${option.name}( |$)`, "gm"))).toHaveLength(1);
    }
    expect(new Set(command.options.map((option) => option.name)).size).toBe(command.options.length);
    const shorts = command.options.flatMap(({ short }) => short ?? []);
    expect(new Set(shorts).size).toBe(shorts.length);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) expect(text).toContain(example.command);
  });

  it.each([60, 80, 120])("wraps to %i columns", async (width) => {
    const command = await load();
    const [head] = helpCommand(command, { style, width }).split("Examples\n");
    for (const line of head.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(width);
  });
});

it("lists the commands, all of them", () => {
  const text = helpAll(COMMANDS, { style, width: 80 });
  for (const { name } of COMMANDS) expect(text).toMatch(new RegExp(`^  ${name} `, "m"));
  for (const line of text.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(80);
});

it("is plain without colours and the same words with them", () => {
  const plain = helpAll(COMMANDS, { style, width: 80 });
  const coloured = helpAll(COMMANDS, { style: makeStyle(true), width: 80 });
  expect(plain).not.toContain("\x1b");
  expect(toTerminal(coloured)).toContain("\x1b[1m");
  expect(stripColours(coloured)).toBe(plain);
});
