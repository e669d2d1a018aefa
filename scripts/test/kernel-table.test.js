import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { chooseKernel } from "../../packages/bonmf/src/kernel/choose.ts";
import { insertTable, makeTable } from "../kernel-table.js";

const page = readFileSync(new URL("../../ARCHITECTURE.md", import.meta.url), "utf8");

it("ARCHITECTURE.md shows what chooseKernel answers; else run node scripts/kernel-table.js", () => {
  expect(page).toBe(insertTable(page, makeTable(chooseKernel)));
});

it("needs both markers", () => {
  expect(() => insertTable("# A page", "| |")).toThrow("ARCHITECTURE.md lacks the lines");
});
