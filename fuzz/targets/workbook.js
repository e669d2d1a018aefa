// Excel files: the first sheet as CSV.
import { readFileSync, writeFileSync } from "node:fs";
import { readCsv } from "bonmf-data";
import { xlsxToCsv } from "../../apps/cli/src/read/formats/xlsx.ts";
import { encode, makeZip, repairZip } from "../containers.js";
import { placeFile } from "../scratch.js";

const TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';
const BOOK =
  '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>' +
  '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>';
const RELS =
  '<Relationships><Relationship Id="r1" ' +
  'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" ' +
  'Target="worksheets/sheet1.xml"/></Relationships>';
const SHEET =
  '<worksheet><dimension ref="A1:B2"/><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c>' +
  '<c r="B1" t="str"><v>b</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2.5</v></c></row></sheetData></worksheet>';

export const seeds = () => [
  makeZip([
    ["[Content_Types].xml", encode(TYPES)],
    ["xl/workbook.xml", encode(BOOK)],
    ["xl/_rels/workbook.xml.rels", encode(RELS)],
    ["xl/worksheets/sheet1.xml", encode(SHEET)],
  ]),
];
export const tokens = ['<c r="ZZZ1048576">', '<row r="1048576">', "<v>", 't="s"', 't="b"', "&#0;", "&amp;", "A1:XFD9"];
export const repair = repairZip;

const path = placeFile("xlsx");
const csv = placeFile("csv");
const scratch = { place: async () => csv };

export async function read(bytes) {
  writeFileSync(path, bytes);
  await xlsxToCsv({ path, name: "input.xlsx" }, scratch, {});
  readCsv(readFileSync(csv), "input.xlsx");
}
