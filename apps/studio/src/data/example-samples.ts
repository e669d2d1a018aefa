/** Data made up here, so that the studio can be tried without a file. */
export const EXAMPLES = [
  {
    name: "shapes",
    title: "Drawn shapes",
    note: "600 small pictures of six shapes, shaky and smudged",
    unit: "pictures",
  },
  { name: "drinks", title: "Drinks", note: "480 cups by taste: what makes a tea a tea?", unit: "table" },
  { name: "notes", title: "Short notes", note: "180 notes about food, travel, money, sport and gardens", unit: "text" },
] as const;

export type ExampleName = (typeof EXAMPLES)[number]["name"];

/** Samples of an example, with their kinds. */
export interface Samples<T> {
  readonly rows: readonly T[];
  readonly kinds: readonly string[];
}

/** Numbers of [0, 1), the same every time. */
function openDraw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Pixels of a shape, across and down. */
export const SIDE = 12;
type Ink = (x: number, y: number) => boolean;

/** Where ink is, in a square from −1 to 1. */
const SHAPES = new Map(
  Object.entries<Ink>({
    ring: (x, y) => Math.abs(Math.hypot(x, y) - 0.48) < 0.2,
    cross: (x, y) => Math.min(Math.abs(x), Math.abs(y)) < 0.2 && Math.max(Math.abs(x), Math.abs(y)) < 0.9,
    bar: (x, y) => Math.abs(x) < 0.25 && Math.abs(y) < 0.9,
    frame: (x, y) => Math.abs(Math.max(Math.abs(x), Math.abs(y)) - 0.82) < 0.14,
    slash: (x, y) => Math.abs(x + y) < 0.32 && Math.abs(x) < 0.9,
    hill: (x, y) => y < 0.9 && y > 2 * Math.abs(x) - 0.7 && y > 0.1,
  }),
);

export function drawShapes(count = 600): Samples<number[]> {
  const draw = openDraw(19);
  const names = [...SHAPES.keys()];
  const kinds = Array.from({ length: count }, (_, i) => names[i % names.length]);
  return { kinds, rows: kinds.map((kind) => drawShape(SHAPES.get(kind)!, draw)) };
}

/** Moved, turned a little, and with specks. */
function drawShape(ink: Ink, draw: () => number): number[] {
  const angle = (draw() - 0.5) * 0.4;
  const [dx, dy] = [(draw() - 0.5) * 0.3, (draw() - 0.5) * 0.3];
  const size = 0.88 + draw() * 0.2;
  return Array.from({ length: SIDE * SIDE }, (_, p) => {
    let covered = 0;
    for (let part = 0; part < 9; part++) {
      const x = ((((p % SIDE) + (part % 3) / 3) / SIDE) * 2 - 1 - dx) / size;
      const y = (((Math.floor(p / SIDE) + Math.floor(part / 3) / 3) / SIDE) * 2 - 1 - dy) / size;
      if (ink(x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle))) covered++;
    }
    const speck = draw() < 0.04 ? 6 * draw() : 0;
    return Math.min(16, Math.round((covered / 9) * (13 + 3 * draw()) + speck));
  });
}

export const TASTES = ["bitter", "sweet", "sour", "milky", "fruity", "strong", "hot", "fizzy"];
const DRINKS = new Map(
  Object.entries<readonly number[]>({
    espresso: [9, 1, 2, 0, 1, 10, 8, 0],
    "milky coffee": [4, 4, 1, 9, 0, 5, 7, 0],
    "green tea": [5, 1, 2, 0, 2, 3, 7, 0],
    lemonade: [0, 7, 8, 0, 7, 1, 0, 6],
    cola: [1, 9, 3, 0, 2, 4, 0, 9],
    smoothie: [0, 7, 4, 5, 9, 1, 0, 0],
  }),
);

/** A row has a number for each of `TASTES`. */
export function mixDrinks(count = 480): Samples<number[]> {
  const draw = openDraw(29);
  const names = [...DRINKS.keys()];
  const kinds = Array.from({ length: count }, (_, i) => names[i % names.length]);
  const rows = kinds.map((kind) =>
    DRINKS.get(kind)!.map((level) => Math.max(0, Number((level + (draw() + draw() + draw() - 1.5) * 2.4).toFixed(1)))),
  );
  return { kinds, rows };
}

const THEMES = new Map(
  Object.entries<readonly string[]>({
    food: [
      "simmer the soup with garlic and onion",
      "bake the bread until the crust is golden",
      "a pinch of salt saves the tomato sauce",
      "roast the pumpkin with rosemary and oil",
      "whisk the eggs with butter and sugar",
      "this recipe needs fresh basil and garlic",
    ],
    travel: [
      "the night train leaves from platform nine",
      "book the hotel near the harbour early",
      "our flight was late and the luggage lost",
      "a ferry crosses to the island twice a day",
      "bring your passport and a map of the old town",
      "the hostel by the station has a quiet room",
    ],
    money: [
      "the bank raised interest on my savings account",
      "pay the rent and put the rest into savings",
      "shares fell while bonds gained a little",
      "keep receipts for the tax return in spring",
      "a monthly budget makes the loan smaller",
      "the invoice is due and the account is empty",
    ],
    sport: [
      "she scored twice before the whistle blew",
      "our team lost the final on penalties",
      "run ten kilometres and stretch afterwards",
      "the coach changed the goalkeeper at half time",
      "he served an ace to win the match",
      "training starts with a slow lap of the field",
    ],
    garden: [
      "sow the lettuce when the soil is warm",
      "prune the roses before the frost is over",
      "water the seedlings early in the morning",
      "compost makes heavy soil loose and rich",
      "plant the bulbs deep and cover them with leaves",
      "slugs ate the beans so I planted marigolds",
    ],
  }),
);

/** Two sentences of one theme, and now and then a word from another. */
export function writeNotes(count = 180): Samples<string> {
  const draw = openDraw(31);
  const themes = [...THEMES.keys()];
  const pick = (list: readonly string[]) => list[Math.floor(draw() * list.length)];
  const kinds = Array.from({ length: count }, (_, i) => themes[i % themes.length]);
  const rows = kinds.map((kind) => {
    const first = pick(THEMES.get(kind)!);
    const second = pick(THEMES.get(kind)!);
    const stray = draw() < 0.35 ? ` and ${pick(pick([...THEMES.values()].flat()).split(" "))}` : "";
    return `${first[0].toUpperCase()}${first.slice(1)}; ${second}${stray}.`;
  });
  return { kinds, rows };
}
