import { withBase } from "vitepress";
import { inspect } from "./inspect.js";

const AsyncFunction = (async () => {}).constructor;

/** Makes the Run buttons work, whatever page is shown. */
export function listen() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".runnable .run");
    if (button) void run(button.closest(".runnable"));
  });
  document.addEventListener("focusin", (event) => edit(event.target));
  document.addEventListener("pointerdown", (event) => edit(event.target));
  document.addEventListener("keydown", (event) => {
    const block = event.target.closest?.(".runnable");
    if (block && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void run(block);
    }
  });
}

/** Code can be edited where it stands. */
function edit(target) {
  const code = target.closest?.(".runnable pre code");
  if (code && !code.isContentEditable) {
    code.contentEditable = "plaintext-only";
    code.spellcheck = false;
  }
}

/** Runs the blocks before this one in silence, for what they declare, then this one, showing its values. */
async function run(block) {
  const output = block.querySelector(".run-output");
  const button = block.querySelector(".run");
  button.disabled = true;
  block.dataset.state = "running";
  output.hidden = false;
  output.replaceChildren();
  const print = (source, text) => {
    const line = document.createElement("div");
    const [left, right] = [document.createElement("code"), document.createElement("samp")];
    left.textContent = source;
    right.textContent = text;
    line.append(...(source ? [left] : []), right);
    output.append(line);
  };
  const show = (source, value) => print(source, inspect(value));
  const log = (...values) =>
    print("", values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" "));
  try {
    const [{ prepareCode }, bonmf] = await Promise.all([
      import("./prepare.js"),
      import(/* @vite-ignore */ new URL(withBase("/bonmf/bonmf.min.js"), location.href).href),
    ]);
    const before = blocksBefore(block).map((each) => prepareCode(readCode(each)));
    const body = `{ const show = () => {}; const console = { log() {}, error() {}, warn() {} };\n${before.join("\n")}\n}\n${prepareCode(readCode(block))}`;
    await new AsyncFunction("bonmf", "show", "console", body)(bonmf, show, { log, error: log, warn: log });
    if (output.childElementCount === 0) log("done");
    block.dataset.state = "done";
  } catch (error) {
    log(error instanceof Error ? error : String(error));
    output.lastElementChild.classList.add("wrong");
    block.dataset.state = "failed";
  } finally {
    button.disabled = false;
  }
}

function blocksBefore(block) {
  if (location.pathname.includes("/api/")) return [];
  const blocks = [...document.querySelectorAll(".runnable")];
  return blocks.slice(0, blocks.indexOf(block));
}

function readCode(block) {
  return block.querySelector("pre code").innerText;
}
