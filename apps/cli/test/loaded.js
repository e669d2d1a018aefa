// Prints the address of every module that is loaded after this one: node --import ./loaded.js …
import { register } from "node:module";
import { MessageChannel } from "node:worker_threads";

const { port1, port2 } = new MessageChannel();
port1.on("message", (url) => console.log(`loaded ${url}`));
port1.unref();
const hooks = `
  let port;
  export function initialize(data) { port = data.port; }
  export async function load(url, context, next) { port.postMessage(url); return next(url, context); }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: { port: port2 }, transferList: [port2] });
