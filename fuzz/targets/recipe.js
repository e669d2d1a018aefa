// Recipes of model files, and a table read by them.
import { describePlan, groupFeatures, readCsv, readRecipe, readTable, writeRecipe } from "bonmf-data";
import { encode } from "../containers.js";
import { expectSame, isRefusal } from "../oracle.js";

export const seeds = () =>
  [
    '{"kind":"csv","categories":{"kind":["oak","elm"]},"fills":{"x":1,"kind":"oak"},"label":"class","leftOut":{"id":"id"}}',
    '{"kind":"csv","decimals":{"y":","},"id":"id","weight":"x"}',
    '{"kind":"text","text":{"column":"kind","stopWords":true,"minDocuments":1,"maxShare":0.5,"maxWords":10}}',
    '{"kind":"images","image":{"width":2,"height":2},"zeroBased":true}',
  ].map(encode);
export const tokens = ['"__proto__":', '"constructor":', '"x"', '"y"', '"kind"', '"class"', '"id"', "null", "[]", "{}"];

const table = {
  kind: "csv",
  name: "input.csv",
  ...readCsv(encode('id,x,y,kind,class\nr1,1,"1,5",oak,a\nr2,,"2,5",elm,b\nr3,3,"0,5",ash,a\n'), "input.csv"),
};
const FEATURES = [["x", "y", "kind=oak", "kind=elm"], ["x", "y"], ["oak", "elm"], null];

export async function read(bytes) {
  const recipe = readRecipe(new TextDecoder().decode(bytes));
  if (recipe === undefined) return;
  const written = writeRecipe(recipe);
  expectSame(writeRecipe(readRecipe(written)), written, "read after write");
  describePlan(recipe);
  for (const features of FEATURES) {
    groupFeatures(features, recipe);
    await readTable(table, { like: { features, count: features?.length ?? 2, recipe } }).catch((error) => {
      if (!isRefusal(error)) throw error;
    });
  }
}
