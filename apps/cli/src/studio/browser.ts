import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";

const OPENERS = new Map(
  Object.entries<readonly string[]>({
    darwin: ["open"],
    win32: ["cmd", "/c", "start", ""],
  }),
);

/**
 * Writes a page that leads to an address. Other users of the machine see the arguments of a program, and so of the one that
 * opens the browser: the address holds a secret, the name of the page does not.
 */
export async function writeRedirect(path: string, url: string): Promise<void> {
  const page = `<!doctype html><meta charset="utf-8"><title>bonmf studio</title>
<meta http-equiv="refresh" content="0;url=${url}"><a href="${url}">bonmf studio</a>\n`;
  await writeFile(path, page, { mode: 0o600 });
}

/** Opens an address or a page in the browser; false where that fails. */
export function openBrowser(url: string, platform: string = process.platform): Promise<boolean> {
  const [command, ...args] = OPENERS.get(platform) ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
