const MOST = 60;
const DEEP = 3;

/** A value as text, much as Node's `util.inspect` writes it. */
export function inspect(value, depth = 0) {
  if (typeof value === "string") return quote(value);
  if (typeof value === "function") return `[function ${value.name}]`;
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return inspectList(value, depth);
  const name = value.constructor?.name;
  const prefix = name && name !== "Object" ? `${name} ` : "";
  if (depth >= DEEP) return `${prefix}{…}`;
  if (value instanceof Map)
    return `${prefix}{ ${[...value].map(([key, item]) => `${inspect(key, depth + 1)} => ${inspect(item, depth + 1)}`).join(", ")} }`;
  const fields = Object.entries(value).map(
    ([key, item]) => `${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${inspect(item, depth + 1)}`,
  );
  return fields.length === 0 ? `${prefix}{}` : `${prefix}{ ${fields.join(", ")} }`;
}

function inspectList(list, depth) {
  const name = Array.isArray(list) ? "" : `${list.constructor.name}(${list.length}) `;
  if (depth >= DEEP) return `${name}[…]`;
  const items = Array.from(list.slice(0, MOST), (item) => inspect(item, depth + 1));
  if (list.length > MOST) items.push(`… ${list.length - MOST} more`);
  return `${name}[${items.join(", ")}]`;
}

function quote(text) {
  const quoted = JSON.stringify(text);
  return text.includes('"') && !text.includes("'") ? `'${quoted.slice(1, -1).replaceAll('\\"', '"')}'` : quoted;
}
