import { describe, expect, it } from "vitest";
import { chooseMembers } from "../src/index.js";

const choose = (paths: string[], wanted?: string) => chooseMembers(paths, "a.zip", wanted);

describe("what is read of an archive", () => {
  it("is the one table, without what explains it", () => {
    const paths = ["data/", "data/t.csv", "README.txt", "__MACOSX/._t.csv", "data/.DS_Store"];
    expect(choose(paths)).toEqual({
      paths: ["data/t.csv"],
      notes: ['a.zip: did not read "README.txt" (--member chooses)'],
    });
  });

  it("is all tables, all pictures or all texts", () => {
    expect(choose(["a.csv", "b.csv.gz"])).toEqual({
      paths: ["a.csv", "b.csv.gz"],
      notes: ['a.zip: read "a.csv", "b.csv.gz" as one table (--member chooses one)'],
    });
    expect(choose(["x/1.png", "y/2.png", "list.csv"]).paths).toEqual(["x/1.png", "y/2.png"]);
    expect(choose(["x/1.txt", "y/2.txt", "style.css"]).paths).toEqual(["x/1.txt", "y/2.txt"]);
    expect(choose(["numbers"])).toEqual({ paths: ["numbers"], notes: [] });
  });

  it("may be named, by its path or its name", () => {
    expect(choose(["x/a.csv", "b.csv"], "a.csv").paths).toEqual(["x/a.csv"]);
    expect(choose(["x/a.csv", "a.csv"], "a.csv").paths).toEqual(["a.csv"]);
    expect(() => choose(["x/a.csv", "y/a.csv"], "a.csv")).toThrow('a.zip holds 2 files "a.csv" for --member');
    expect(() => choose(["abc.csv"], "abd.csv")).toThrow(expect.objectContaining({ hint: "did you mean abc.csv?" }));
  });

  it.each(["../a.csv", "x/../../a.csv", "/etc/a.csv", "C:\\a.csv"])("is never outside of it: %s", (path) =>
    expect(() => choose([path])).toThrow("leads out of the archive"),
  );

  it("cannot be nothing", () => expect(() => choose(["x/"])).toThrow("a.zip is an archive without files"));
});
