import { describe, expect, it } from "vitest";
import { type BonmfError, DataError, FormatError } from "../../src/errors.js";
import { readArff } from "../../src/io/index.js";
import { Dense } from "../../src/matrix/dense.js";
import { expectError } from "./thrown.js";

const iris = `% a comment
@RELATION 'iris flowers'

@Attribute 'sepal length' NUMERIC   % in cm
@attribute "petal \\"width\\"" Real
@attribute kind {Iris-setosa, 'Iris versi\\'color' , "x,y"}
@attribute age integer
@DATA
% another
5.1, 3.5, Iris-setosa, 1

-4.9,3e0,'Iris versi\\'color',2
1,2,"x,y",3
`;

describe("readArff", () => {
  it("reads numeric attributes as features and the last nominal one as labels", () => {
    expect(readArff(iris)).toEqual({
      X: Dense.from([
        [5.1, 3.5, 1],
        [-4.9, 3, 2],
        [1, 2, 3],
      ]),
      featureNames: ["sepal length", 'petal "width"', "age"],
      labels: ["Iris-setosa", "Iris versi'color", "x,y"],
    });
    expect(readArff(new TextEncoder().encode(iris.replaceAll("\n", "\r\n")))).toEqual(readArff(iris));
  });

  it("takes the label from the attribute named, whatever its type", () => {
    const text = "@attribute a real\n@attribute b real\n@data\n1,2\n3,4\n";
    expect(readArff(text, { label: "a" })).toEqual({
      X: Dense.from([[2], [4]]),
      featureNames: ["b"],
      labels: ["1", "3"],
    });
    expect(readArff(text, { precision: "f64" })).toEqual({
      X: Dense.from(
        [
          [1, 2],
          [3, 4],
        ],
        "f64",
      ),
      featureNames: ["a", "b"],
    });
  });

  it("reads sparse rows; an absent label is the first value declared", () => {
    const { X, labels } = readArff(
      "@attribute a numeric\n@attribute c {no,'y s'}\n@attribute b numeric\n@data\n" +
        "{0 1, 2 2.5}\n{ 1 'y s' , 2 -3 }\n{}\n{0 0}\n",
    );
    expect(X.kind).toBe("sparse");
    expect(X.toDense()).toEqual(
      Dense.from([
        [1, 2.5],
        [0, -3],
        [0, 0],
        [0, 0],
      ]),
    );
    expect(labels).toEqual(["no", "y s", "no", "no"]);
  });

  const head = "@attribute a real\n@attribute 'b b' real\n@attribute c {x,y}\n@data\n";
  const cases: [string, string, BonmfError][] = [
    [
      "a missing value",
      `${head}1,2,x\n3,?,y`,
      new DataError(
        "missing",
        't.arff, line 6, attribute "b b": the value is missing ("?"): fill it in or remove the row',
      ),
    ],
    [
      "an empty value",
      `${head},2,x`,
      new DataError(
        "missing",
        't.arff, line 5, attribute "a": the value is missing (""): fill it in or remove the row',
      ),
    ],
    [
      "a missing label",
      `${head}1,2,?`,
      new DataError(
        "missing",
        't.arff, line 5, attribute "c": the value is missing ("?"): fill it in or remove the row',
      ),
    ],
    [
      "a missing value of a sparse row",
      `${head}{0 ?}`,
      new DataError(
        "missing",
        't.arff, line 5, attribute "a": the value is missing ("?"): fill it in or remove the row',
      ),
    ],
    [
      "text",
      `${head}1,two,x`,
      new DataError("type", 't.arff, line 5, attribute "b b": "two" is not a number: correct it'),
    ],
    [
      "an undeclared label",
      `${head}1,2,z`,
      new FormatError(
        't.arff, line 5: "z" is not a value of attribute "c", which declares "x", "y": correct it or declare it',
      ),
    ],
    [
      "a short row",
      `${head}1,2`,
      new DataError("ragged", "t.arff, line 5: the row has 2 values but there are 3 attributes"),
    ],
    [
      "a long row",
      `${head}1,2,x,4`,
      new DataError("ragged", "t.arff, line 5: the row has 4 values but there are 3 attributes"),
    ],
    [
      "an open quote",
      `${head}1,2,'x`,
      new FormatError("t.arff, line 5: a quoted value is never closed: add the missing quote"),
    ],
    ["text after a quote", `${head}1,2,'x'y`, new FormatError('t.arff, line 5: text follows the closing quote of "x"')],
    [
      "mixed rows",
      `${head}1,2,x\n{0 1}`,
      new FormatError("t.arff, line 6: dense and {sparse} rows are mixed: write all of them in one way"),
    ],
    [
      "mixed rows, sparse first",
      `${head}{0 1}\n1,2,x`,
      new FormatError("t.arff, line 6: dense and {sparse} rows are mixed: write all of them in one way"),
    ],
    ["an open brace", `${head}{0 1`, new FormatError('t.arff, line 5: the sparse row does not end with "}"')],
    [
      "an index outside",
      `${head}{3 1}`,
      new FormatError('t.arff, line 5: "3" is not the index of an attribute, 0 … 2'),
    ],
    [
      "an index that is none",
      `${head}{a 1}`,
      new FormatError('t.arff, line 5: "a" is not the index of an attribute, 0 … 2'),
    ],
    [
      "falling indices",
      `${head}{1 1, 0 2}`,
      new FormatError("t.arff, line 5: attribute 0 follows attribute 1: indices must rise"),
    ],
    ["no rows", head, new DataError("empty", "t.arff: the file has no samples: at least one is needed")],
    [
      "no features",
      "@attribute c {x}\n@data\nx",
      new DataError("empty", "t.arff: no numeric attribute is left to be a feature"),
    ],
    [
      "no @data",
      "@attribute a real\n",
      new FormatError("t.arff, line 1: the file ends without @data: it is cut short, or not an ARFF file"),
    ],
    [
      "an empty file",
      "",
      new FormatError("t.arff, line 1: the file ends without @data: it is cut short, or not an ARFF file"),
    ],
    [
      "another format",
      "1,2,3\n",
      new FormatError('t.arff, line 1: "1,2,3" is not @relation, @attribute name type, or @data'),
    ],
    [
      "two attributes of one name",
      "@attribute a real\n@attribute a real\n@data\n1,2",
      new FormatError('t.arff, line 3: two attributes above are called "a": rename one'),
    ],
    [
      "a string attribute",
      "@attribute a string\n",
      new FormatError(
        't.arff, line 1: attribute "a" has the type "string": only numeric, real, integer and {nominal} are read; ' +
          "remove the attribute or turn it into numbers",
      ),
    ],
    [
      "an open list",
      "@attribute a {x,y\n",
      new FormatError(
        't.arff, line 1: attribute "a" has the type "{x,y": only numeric, real, integer and {nominal} are read; ' +
          "remove the attribute or turn it into numbers",
      ),
    ],
    [
      "a second nominal attribute",
      "@attribute a {p,q,r}\n@attribute n real\n@attribute c {x,y}\n@data\np,1,x",
      new DataError(
        "type",
        't.arff: attribute "a" is nominal and not the class: ' +
          "one-hot it (one numeric 0/1 attribute for each of its 3 values), remove it, or name it as label",
      ),
    ],
  ];
  it.each(cases)("explains %s", (_, text, error) => {
    expectError(() => readArff(text, { name: "t.arff" }), error);
  });

  it("lists the nearest attributes to a misspelt label", () => {
    expect(() => readArff(iris, { label: "Kin" })).toThrow(
      'input: there is no column "Kin" to use as label. The most similar of its 4 columns: "kind", "age"',
    );
  });
});
