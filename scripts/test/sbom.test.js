import { describe, expect, it } from "vitest";
import { listPackages } from "../packages.js";
import { describeContents } from "../sbom.js";

const packages = listPackages();
const contentsOf = (name) => {
  const { folder, manifest } = packages.find((one) => one.manifest.name === name);
  return describeContents(folder, manifest);
};

describe("the bill of materials", () => {
  it.each(packages.map(({ manifest }) => manifest.name))(
    "of %s is complete: every reference has its component",
    (name) => {
      const { metadata, components, dependencies } = contentsOf(name);
      expect(metadata.component.name).toBe(name);
      const known = new Set([metadata.component, ...components].map((component) => component["bom-ref"]));
      expect(known.size).toBe(components.length + 1);
      for (const { ref, dependsOn } of dependencies)
        for (const one of [ref, ...dependsOn]) expect(known).toContain(one);
      for (const { name, version, licenses } of components)
        expect({ name, version, licenses }).toEqual(
          expect.objectContaining({ licenses: [{ expression: expect.stringMatching(/\w/) }] }),
        );
    },
  );

  it("of the library is empty", () => expect(contentsOf("bonmf").components).toEqual([]));

  it("of the command has its dependencies, theirs and our own packages", () => {
    const names = contentsOf("bonmf-cli").components.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["bonmf", "@duckdb/node-api", "@duckdb/node-bindings", "flatbuffers"]),
    );
    expect(names).not.toContain("vitest");
  });

  it("of the studio has what is bundled into it, with hashes", () => {
    const preact = contentsOf("bonmf-studio").components.find(({ name }) => name === "preact");
    expect(preact.hashes[0]).toEqual({ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) });
  });
});
