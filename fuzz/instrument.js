// Counters in every branch of a module. `$tick(id)` counts that a branch was taken; `$size(Type, length)` adds up what
// arrays are allocated. Both are globals of fuzz/child.js. Nothing else of the program changes.
import { parseAst } from "vite";

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);
/** Longer texts are sentences. */
const LONGEST_TOKEN = 24;

/**
 * @param code a module in JavaScript
 * @param first the id of its first branch
 * @returns the module with counters, the id after its last branch, and its short texts: tokens that mutations may need
 */
export function instrument(code, first) {
  const openings = [];
  const closings = [];
  const tokens = new Set();
  let next = first;
  const tick = () => `$tick(${next++})`;
  const wrap = ({ start, end }, before, after) => {
    openings.push([start, before]);
    closings.push([end, after]);
  };
  const enter = (node) => {
    if (node.type === "BlockStatement") openings.push([node.start + 1, `${tick()};`]);
    else if (/Statement$|Declaration$/.test(node.type)) wrap(node, `{${tick()};`, "}");
    else wrap(node, `(${tick()},`, ")");
  };
  walk(parseAst(code), (node) => {
    if (FUNCTIONS.has(node.type) || LOOPS.has(node.type)) enter(node.body);
    else if (node.type === "IfStatement") {
      if (!node.alternate) closings.push([node.consequent.end, ` else ${tick()};`]);
      enter(node.consequent);
      if (node.alternate) enter(node.alternate);
    } else if (node.type === "ConditionalExpression") {
      enter(node.consequent);
      enter(node.alternate);
    } else if (node.type === "LogicalExpression") enter(node.right);
    else if (node.type === "SwitchCase") {
      if (node.consequent.length > 0) openings.push([node.consequent[0].start, `${tick()};`]);
    } else if (node.type === "NewExpression" && isPlain(node.callee) && isValue(node.arguments[0])) {
      wrap(node.arguments[0], `$size(${code.slice(node.callee.start, node.callee.end)},`, ")");
    } else if (node.type === "Literal" && typeof node.value === "string" && isToken(node.value)) tokens.add(node.value);
  });
  return { code: insert(code, openings, closings), next, tokens };
}

function walk(node, visit) {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child.type === "string") walk(child, visit);
    }
  }
}

/** Whether naming it a second time changes nothing. */
function isPlain({ type, object, computed, property }) {
  if (type === "Identifier") return true;
  return type === "MemberExpression" && isPlain(object) && (!computed || isPlain(property));
}

function isValue(argument) {
  return argument !== undefined && argument.type !== "SpreadElement";
}

function isToken(text) {
  return text.length > 1 && text.length <= LONGEST_TOKEN && !/\s\w+\s/.test(text);
}

/** At one place closings come first, what was visited last before the others as it is the innermost; then openings. */
function insert(code, openings, closings) {
  const all = [
    ...closings.map(([at, text], order) => ({ at, text, rank: -1 - order })),
    ...openings.map(([at, text], order) => ({ at, text, rank: order })),
  ].sort((a, b) => a.at - b.at || a.rank - b.rank);
  let out = "";
  let done = 0;
  for (const { at, text } of all) {
    out += code.slice(done, at) + text;
    done = at;
  }
  return out + code.slice(done);
}
