import { prepareCode } from "./theme/prepare.js";

/**
 * Gives a Run button to every block of TypeScript that imports from "bonmf" alone. Blocks of a guide page share one
 * scope, in order, as they do in the tests; in the reference every block stands alone. A block fenced as "ts no-run" has
 * no button.
 */
export function addRunButtons(md) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const html = fence(tokens, index, options, env, self);
    const { info, content } = tokens[index];
    if (info.trim() !== "ts" || !isRunnable(content, env)) return html;
    prepareCode(content); // stops the build where the block is not plain JavaScript
    return `<div class="runnable">${html}<div class="run-bar"><button type="button" class="run">Run</button><span>Runs in this page. You can edit the code.</span></div><output class="run-output" hidden></output></div>`;
  };
}

function isRunnable(content, env) {
  const imports = [...content.matchAll(/\bfrom "([^"]+)"/g)].map(([, name]) => name);
  if (imports.some((name) => name !== "bonmf")) return false;
  return imports.length > 0 || !env.relativePath?.startsWith("api/");
}
