import { crc32, inflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { checkWorkbook } from "../src/index.js";
import { zip } from "./fixtures/zip.js";

const codec = { inflate: async (content: Uint8Array) => inflateRawSync(content), crc32, most: 2 ** 30 };

function check(cell: string): Promise<void> {
  const xml = `<worksheet><sheetData><row r="1">${cell}</row></sheetData></worksheet>`;
  const content = new TextEncoder().encode(xml);
  return checkWorkbook(zip([{ name: "xl/worksheets/sheet1.xml", content }]), "a.xlsx", codec);
}

it("takes cells and what their text says", async () => {
  await check(`<c r="B1"/><c s='1' r = 'AA1' t="inlineStr"><is><t>an r="x" and 1 > 0</t></is></c>`);
});

it.each(["B./fills.js2", "2B", "", "é1"])("refuses a cell at %j, which a reader would take for a far one", (address) =>
  expect(check(`<c r="${address}"><v>1</v></c>`)).rejects.toThrow(`a cell's address is ${JSON.stringify(address)}`),
);

it("takes declarations, comments and unparsed text", () =>
  check(
    `<!-- <c r="x"> --><?go r="x"?><c r="A1" t="inlineStr"><is><t><![CDATA[<c r="x">]]></t></is></c><c r="B1" >\n</c >`,
  ));

it.each([`<c r="A1" t="2""2">><c r="B./fills.js2">`, `<c r=B2>`, `<c r="A1"`, `1 < 2`])(
  "refuses %j, which is no XML",
  (cell) => expect(check(cell)).rejects.toThrow("a sheet is no XML"),
);

it("refuses a cell beyond what its file may fill", () =>
  expect(check(`<c r="XFD1048576"><v>1</v></c>`)).rejects.toThrow("a.xlsx claims a sheet of 1048576 × 16384 cells"));
