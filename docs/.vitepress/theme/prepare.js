import { parse } from "acorn";

/**
 * Turns a block of code into the body of an async function of `bonmf`, `show` and `console`: imports become variables,
 * and the value of every expression, and of every declaration followed by `// →`, is shown. Names are declared with
 * `var`, so that a later block may declare them again.
 *
 * @param {string} code plain JavaScript
 */
export function prepareCode(code) {
  const { body } = parse(code, { ecmaVersion: 2024, sourceType: "module", allowAwaitOutsideFunction: true });
  return body.map((node) => rewrite(node, code)).join("\n");
}

function rewrite(node, code) {
  const text = code.slice(node.start, node.end);
  if (node.type === "ImportDeclaration") return readImport(node);
  if (node.type === "ExpressionStatement" && !isLog(node.expression)) {
    const source = code.slice(node.expression.start, node.expression.end);
    return `show(${JSON.stringify(source)}, ${source});`;
  }
  if (node.type !== "VariableDeclaration") return text;
  const declared = text.replace(/^(const|let)\b/, "var");
  const [{ id }] = node.declarations;
  const told = /^[ \t]*\/\/ →/.test(code.slice(node.end)) && id.type === "Identifier";
  return told ? `${declared}\nshow(${JSON.stringify(id.name)}, ${id.name});` : declared;
}

function readImport({ specifiers }) {
  return specifiers
    .map(({ type, imported, local }) =>
      type === "ImportNamespaceSpecifier"
        ? `var ${local.name} = bonmf;`
        : `var ${local.name} = bonmf[${JSON.stringify(imported.name)}];`,
    )
    .join(" ");
}

function isLog({ type, callee }) {
  return type === "CallExpression" && callee.type === "MemberExpression" && callee.object.name === "console";
}
