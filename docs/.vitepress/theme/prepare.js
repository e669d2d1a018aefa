import { parse } from "acorn";

const FUNCTION = /^(ArrowFunctionExpression|Function|Class|Method)/;

/**
 * Turns a block of code into the body of an async function of `bonmf`, `show` and `console`: imports become variables.
 * The value of every expression at the top is shown, and so is whatever is followed by `// →`. Names at the top are
 * declared with `var`, so that a later block may declare them again.
 *
 * @param {string} code plain JavaScript
 */
export function prepareCode(code) {
  const { body } = parse(code, { ecmaVersion: 2024, sourceType: "module", allowAwaitOutsideFunction: true });
  const edits = body.flatMap((node) => editStatement(node, code, true));
  edits.sort((a, b) => b.start - a.start);
  return edits.reduce((text, { start, end, by }) => text.slice(0, start) + by + text.slice(end), code);
}

function editStatement(node, code, top) {
  const { type, start, end } = node;
  const told = /^[ \t]*\/\/ →/.test(code.slice(end));
  if (type === "ImportDeclaration") return [{ start, end, by: readImport(node) }];
  if (type === "ExpressionStatement") {
    const source = code.slice(node.expression.start, node.expression.end);
    return (top || told) && !isLog(node.expression)
      ? [{ start, end, by: `show(${JSON.stringify(source)}, ${source});` }]
      : [];
  }
  if (type === "VariableDeclaration") {
    const { id } = node.declarations[0];
    const shown = told && id.type === "Identifier" ? ` show(${JSON.stringify(id.name)}, ${id.name});` : "";
    const renamed = top ? [{ start, end: start + node.kind.length, by: "var" }] : [];
    return [...renamed, { start: end, end, by: shown }];
  }
  return listStatements(node).flatMap((inner) => editStatement(inner, code, false));
}

/** The statements inside another one: of blocks, branches, loops, but not of functions. */
function listStatements(node) {
  if (FUNCTION.test(node.type)) return [];
  return Object.values(node)
    .flat()
    .filter((child) => /Statement$|Clause$|^VariableDeclaration$|^SwitchCase$/.test(child?.type));
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
