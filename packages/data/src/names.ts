/** Words of which a name consists: "PassengerId" and "passenger id" are ["passenger", "id"]. */
function splitName(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}#]+/u)
    .filter((word) => word !== "");
}

/** Names of a column of classes, the likeliest first; the last four are also names of ordinary columns. */
const CLASSES = [
  "class",
  "label",
  "target",
  "species",
  "outcome",
  "diagnosis",
  "y",
  "variety",
  "cultivar",
  "survived",
  "churn",
  "sentiment",
  "folder",
  "category",
  "type",
  "kind",
];
const ORDINARY = new Set(["category", "type", "kind", "folder"]);
const BEFORE = new Set(["class", "target", "true", "actual"]);
const AFTER = new Set(["name", "names", "label", "class", "id", "code"]);

/** The place of a name among those of classes; −1 for others. */
export function rankLabelName(name: string): number {
  const words = splitName(name);
  if (words.length > 1 && AFTER.has(words[words.length - 1])) words.pop();
  if (words.length > 1 && BEFORE.has(words[0])) words.shift();
  if (words.length !== 1) return -1;
  const [word] = words;
  const one = CLASSES.indexOf(word);
  return one >= 0 || word === "ys" ? one : CLASSES.indexOf(word.replace(/(?<=class)es$|s$/, ""));
}

/** Whether a column is called as classes are: class, label, target, species … */
export function isLabelName(name: string): boolean {
  return rankLabelName(name) >= 0;
}

/** Whether hardly anything but classes is called so. */
export function isPlainLabelName(name: string): boolean {
  const rank = rankLabelName(name);
  return rank >= 0 && !ORDINARY.has(CLASSES[rank]);
}

const IDS = new Set(["id", "ids", "uuid", "guid", "uid"]);

/** Whether a column is called as the names of rows are: id, customer_id, PassengerId … */
export function isIdName(name: string): boolean {
  const words = splitName(name);
  return words.length <= 3 && IDS.has(words.at(-1) ?? "");
}

const COUNTERS =
  /^(index|idx|level 0|index level 0|row|rowid|row ?(number|no|nr|num|id|names?)|rownames?|no|nr|num|number|#|obs|observation|sample|sample ?(number|no|nr)|serial( number| no)?|s ?no|record)$/;

/** Whether a column has no name, or is called as row numbers are. */
export function isCounterName(name: string): boolean {
  return isUnnamed(name) || COUNTERS.test(splitName(name).join(" "));
}

/** Whether the reader, or pandas, has named the column by its place. */
export function isUnnamed(name: string): boolean {
  return /^(column\d+|unnamed: ?\d+|__index_level_\d+__|\s*)$/i.test(name);
}

/** Gives a name a number where a column has it already; SQL ignores case. */
export function watchNames(names: readonly string[]): (name: string) => string {
  const taken = new Set(names.map((name) => name.toLowerCase()));
  return (name) => {
    let free = name;
    for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${name}_${n}`;
    taken.add(free.toLowerCase());
    return free;
  };
}
