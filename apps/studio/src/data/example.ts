import { toColumn, toTable } from "bonmf-data";
import { drawShapes, mixDrinks, SIDE, TASTES, writeNotes } from "./example-samples.js";
import { nameTable } from "./open.js";
import type { TableSource } from "./source.js";

export function makeExample(name: string): TableSource {
  if (name === "shapes") return makeShapes();
  if (name === "drinks") return makeDrinks();
  if (name === "notes") return makeNotes();
  throw new Error(`there is no example "${name}"`);
}

function makeShapes(): TableSource {
  const { rows, kinds } = drawShapes();
  const pixels = Array.from({ length: SIDE * SIDE }, (_, p) =>
    toColumn(
      `p${p}`,
      rows.map((row) => row[p]),
    ),
  );
  return nameTable("shapes.csv", "csv", toTable([...pixels, toColumn("class", kinds)]));
}

function makeDrinks(): TableSource {
  const { rows, kinds } = mixDrinks();
  const tastes = TASTES.map((taste, t) =>
    toColumn(
      taste,
      rows.map((row) => row[t]),
    ),
  );
  const cups = kinds.map((_, i) => `cup ${i + 1}`);
  return nameTable("drinks.csv", "csv", toTable([toColumn("cup", cups), ...tastes, toColumn("kind", kinds)]));
}

function makeNotes(): TableSource {
  const { rows, kinds } = writeNotes();
  return nameTable("notes.csv", "csv", toTable([toColumn("note", rows), toColumn("category", kinds)]));
}
