import { describe, expect, it } from "vitest";
import { parse } from "../../src/args/parse.js";
import type { Option } from "../../src/command.js";
import { UserError } from "../../src/errors.js";

const options: readonly Option[] = [
  { name: "k", short: "k", value: "N", type: "integer", help: "" },
  { name: "share", value: "X", type: "number", help: "" },
  { name: "method", value: "NAME", choices: ["bonmf", "kmeans"], help: "" },
  { name: "methods", value: "NAMES", type: "list", choices: ["bonmf", "kmeans"], help: "" },
  { name: "features", value: "COLUMNS", type: "list", help: "" },
  { name: "tag", value: "TEXT", multiple: true, help: "" },
  { name: "sql", value: "QUERY", help: "" },
  { name: "why", help: "" },
  { name: "table", value: "NAME", help: "", needs: { option: "sql", why: "needs --sql", hint: "write --sql" } },
];
const command = { name: "fit", usage: "DATA…", options };
const read = (...argv: string[]) => parse(command, argv);

function failure(argv: readonly string[], usage = "DATA…"): string {
  try {
    parse({ ...command, usage }, argv);
  } catch (error) {
    if (error instanceof UserError) return [error.message, error.hint].filter(Boolean).join(" | ");
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("parse", () => {
  it("reads values in every way of writing", () => {
    const { args, options } = read("a.csv", "-k", "3", "--share=-0.5", "b.csv", "--why", "--method", "kmeans", "-q");
    expect(args).toEqual(["a.csv", "b.csv"]);
    expect(options.number("k")).toBe(3);
    expect(options.number("share")).toBe(-0.5);
    expect(options.string("method")).toBe("kmeans");
    expect(options.flag("why")).toBe(true);
    expect(options.flag("quiet")).toBe(true);
    expect(options.flag("json")).toBe(false);
    expect(options.number("seed")).toBeUndefined();
    expect(options.list("features")).toBeUndefined();
  });

  it("lets the last value of a repeated option count", () => {
    expect(read("a", "-k", "3", "--k", "4").options.number("k")).toBe(4);
  });

  it("takes lists apart at commas, except escaped ones, and joins repetitions", () => {
    const { options } = read("a", "--features", "x, y", "--features", "income\\, net", "--tag", "1,2", "--tag", "3");
    expect(options.list("features")).toEqual(["x", "y", "income, net"]);
    expect(options.list("tag")).toEqual(["1,2", "3"]);
  });

  it("leaves everything after -- and a lone - alone", () => {
    expect(read("-", "--", "--k").args).toEqual(["-", "--k"]);
  });

  it("understands 1e6 as a whole number", () => expect(read("a", "-k", "1e6").options.number("k")).toBe(1e6));

  it.each([
    [["a", "--k"], "--k needs a value: --k N"],
    [["a", "--k", "--why"], "--k needs a value, but is followed by --why | if that is the value, write --k=--why"],
    [["a", "--k", "ten"], '--k needs a whole number, not "ten"'],
    [["a", "--k", "2.5"], '--k needs a whole number, not "2.5"'],
    [["a", "--k="], '--k needs a whole number, not ""'],
    [["a", "--share", "Infinity"], '--share needs a number, not "Infinity"'],
    [["a", "--why=yes"], '--why takes no value, but was given "yes"'],
    [["a", "--mehtod", "x"], "bonmf fit has no option --mehtod | did you mean --method or --methods?"],
    [["a", "--zebra"], "bonmf fit has no option --zebra | bonmf fit --help lists its options"],
    [["a", "-z"], "bonmf fit has no option -z | bonmf fit --help lists its options"],
    [["a", "--method", "kmean"], '--method "kmean" is not known: choose one of bonmf, kmeans | did you mean kmeans?'],
    [["a", "--methods", "bonmf,x"], '--methods "x" is not known: choose one of bonmf, kmeans'],
    [["--table", "t"], "--table needs --sql | write --sql"],
    [[], "bonmf fit needs DATA: bonmf fit DATA… | bonmf fit --help shows examples"],
  ])("refuses %j", (argv, message) => expect(failure(argv)).toBe(message));

  it("counts arguments by the usage", () => {
    expect(failure(["m"], "MODEL DATA…")).toContain("needs DATA");
    expect(failure(["a", "b"], "MODEL")).toContain('was also given "b"');
    expect(failure(["a"], "")).toContain("takes no arguments");
    expect(parse({ ...command, usage: "[list|get NAME]" }, []).args).toEqual([]);
    expect(failure(["a", "b", "c"], "[list|get NAME]")).toContain('"c"');
  });

  it("lets a query stand in for DATA", () => {
    expect(read("--sql", "select 1").args).toEqual([]);
    expect(failure(["--sql", "select 1"], "MODEL DATA…")).toContain("needs MODEL");
  });

  it("takes an option together with the one it needs", () => {
    expect(read("--table", "t", "--sql", "select 1").options.string("table")).toBe("t");
  });

  it("asks nothing more of someone who wants help", () => {
    expect(read("--help").options.flag("help")).toBe(true);
    expect(read("-h", "--k", "ten").options.flag("help")).toBe(true);
  });
});
