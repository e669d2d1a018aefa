import { access } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../errors.js";

/** The folder of the built studio: installed with the command, or in the workspace. */
export async function findStudio(): Promise<string> {
  for (const folder of [installed(), beside()]) {
    if (folder !== null && (await exists(join(folder, "index.html")))) return folder;
  }
  throw new UserError("the studio is not built", "in a checkout: npm run build; otherwise install bonmf-cli again");
}

function installed(): string | null {
  try {
    const require = createRequire(import.meta.url);
    return join(dirname(require.resolve("bonmf-studio/package.json")), "dist");
  } catch {
    return null;
  }
}

function beside(): string {
  return fileURLToPath(new URL("../../../studio/dist", import.meta.url));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
