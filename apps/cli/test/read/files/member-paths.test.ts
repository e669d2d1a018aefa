import { win32 } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeMembers } from "../../../src/read/files/member-paths.js";

describe("members of an archive are written", () => {
  it("under their own names", () => {
    expect(placeMembers(["a.csv", "x/what?.csv", "nul"], "linux")).toEqual(["0/a.csv", "0/x/what?.csv", "0/nul"]);
  });

  it("apart where a file system takes names for one: capitals, and characters composed in two ways", () => {
    const names = ["a.csv", "A.csv", "caf\u00e9", "cafe\u0301", "b.csv"];
    expect(placeMembers(names, "darwin")).toEqual(["0/a.csv", "1/A.csv", "0/caf\u00e9", "1/cafe\u0301", "0/b.csv"]);
  });

  it("apart where one is a file and another lies in a folder of that name", () => {
    expect(placeMembers(["x", "x/a.csv", "y/b", "y"], "linux")).toEqual(["0/x", "1/x/a.csv", "0/y/b", "1/y"]);
  });

  it.each([
    ["CON", "%43ON"],
    ["nul.txt", "%6Eul.txt"],
    ["x/com1.csv", "x/%63om1.csv"],
    ["console.csv", "console.csv"],
    ["COM10", "COM10"],
    ['a<b>|c?*".csv', "a%3Cb%3E%7Cc%3F%2A%22.csv"],
    ["dot.", "dot%2E"],
    ["space /x", "space%20/x"],
    ["tab\tname", "tab%09name"],
  ])("on Windows %j as %s", (name, spelled) => expect(placeMembers([name], "win32")).toEqual([`0/${spelled}`]));

  it("each in a place of its own that Windows can hold, inside the folder", () => {
    const part = fc.oneof(fc.constantFrom("CON", "a", "A", "a.", "nul.csv", "x y "), fc.string({ minLength: 1 }));
    const name = part.map((text) => text.replace(/[/\\]/g, "") || "x").filter((text) => text !== "." && text !== "..");
    const member = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(fc.uniqueArray(member, { maxLength: 8 }), (members) => {
        const places = placeMembers(members, "win32");
        expect(new Set(places.map((place) => place.normalize("NFC").toLowerCase())).size).toBe(members.length);
        for (const place of places) {
          expect(win32.resolve("C:\\scratch", place).startsWith("C:\\scratch\\")).toBe(true);
          for (const one of place.split("/"))
            expect(one).not.toMatch(/[<>:"|?*\\]|\p{Cc}|[. ]$|^(con|nul|aux|prn)(\.|$)/iu);
        }
      }),
    );
  });
});
