// The reader of tables of command and studio: encoding, dialect, columns, plan, matrix; and the recipe on the same file.
import { detectEncoding, readCsv, readRecipe, readTable, recodeText, writeRecipe } from "bonmf-data";
import { encode } from "../containers.js";
import { expectSame, isRefusal } from "../oracle.js";

const LONG = 65_536;

export const seeds = () =>
  [
    "id;width;kind\nr1;1,5;oak\nr2;2,25;elm\nr3;;oak\n",
    "# note\ndate,x,y,class\n2024-01-02,1,NA,a\n2024-01-03,2,7,b\n2024-01-04,3,8,a\n",
    '\ufeff"a b",c\n"1 000",2%\n"3",4%\n',
    "1 2 3\n4 5 6\n7 8 9\n",
    "x,[1,2],y\n1,2,3\n",
    // Digits, columns, spaces: what was once quadratic.
    `a;b\n${"2".repeat(LONG)}x;1\n`,
    `${",6".repeat(LONG / 16)}\n`,
    `a,b\n${" ".repeat(LONG)}1,2\n`,
  ].map(encode);

export const tokens = ["NA", "NaN", "?", "-", "null", "2024-01-02", "1.000,5", "\xa0", "%", "€", "'", "|"];

/** An input is read eight times; as many columns as bytes take a second each time, in proportion to their number. */
export const slowSeconds = 20;

const CHOICES = [{}, { missing: "median" }, { missing: "drop", label: "kind" }, { oneHot: "auto" }];

export async function read(bytes) {
  const table = { kind: "csv", name: "table.csv", ...readCsv(recodeText(bytes, detectEncoding(bytes)), "table.csv") };
  for (const options of CHOICES) {
    const data = await readTable(table, options).catch((error) => {
      if (isRefusal(error)) return null;
      throw error;
    });
    if (data === null) continue;
    const recipe = readRecipe(writeRecipe(data.recipe));
    if (recipe === undefined) throw new Error("the recipe of a table cannot be read again");
    const like = { features: data.features, count: data.X.features, recipe };
    // Without the label, rows that have none are read: a fit drops them.
    const { label, missing } = options;
    const again = await readTable(table, label ? { label, missing, like } : { like });
    expectSame(again.X, data.X, "the table by its recipe");
  }
}
