// Prints the address of every module that is loaded after this one: node --import ./loaded.js …
import { register } from "node:module";

// Written at once, by the thread of the hooks: the process may end before a message arrives.
const hooks = `
  import { writeSync } from "node:fs";
  export async function load(url, context, next) {
    writeSync(1, "loaded " + url + "\\n");
    return next(url, context);
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
