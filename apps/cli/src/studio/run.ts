import { randomBytes } from "node:crypto";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { Scratch } from "../read/files/scratch.js";
import { findFiles, keepStreams } from "../read/files/sources.js";
import { openBrowser, writeRedirect } from "./browser.js";
import { findStudio } from "./find.js";
import { openServer, type Serving } from "./server.js";
import type { Shared } from "./share.js";

/** Browsers keep projects by the address of a page: it is the same every time. */
const USUAL_PORT = 2632;

async function openUsual(
  folder: string,
  shared: Shared,
  port: number | undefined,
  terminal: Call["terminal"],
): Promise<Serving> {
  if (port !== undefined) return openServer(folder, shared, port);
  try {
    return await openServer(folder, shared, USUAL_PORT);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const serving = await openServer(folder, shared, 0);
    terminal.note(
      `note: port ${USUAL_PORT} is taken, perhaps by another bonmf studio: projects saved there are not listed here`,
    );
    return serving;
  }
}

/** Serves the studio until Ctrl-C. */
export async function run({ args, options, terminal, signal }: Call): Promise<void> {
  const port = options.number("port");
  if (port !== undefined && (port < 0 || port > 65_535)) throw new UserError(`--port must be 0 … 65535, not ${port}`);
  const scratch = new Scratch();
  try {
    const files = args.length === 0 ? [] : await keepStreams(await findFiles(args), { signal }, scratch);
    const shared: Shared = { token: randomBytes(16).toString("base64url"), files };
    const { address, close } = await openUsual(await findStudio(), shared, port, terminal);
    const url = files.length === 0 ? address : `${address}#open=${shared.token}`;
    if (terminal.json) terminal.out(JSON.stringify({ url }));
    else terminal.out(`${terminal.style.bold("bonmf studio")} is at ${terminal.style.accent(url)}`);
    if (!terminal.json) terminal.note("No data leaves this machine. Press Ctrl-C to stop.");
    if (!options.flag("no-open")) {
      const page = files.length === 0 ? url : await scratch.place(".html");
      if (page !== url) await writeRedirect(page, url);
      if (!(await openBrowser(page))) terminal.note("No browser could be opened: open the address by hand.");
      // A browser in a sandbox may not read the page that leads to the address.
      else if (page !== url && !terminal.json) terminal.note("If the browser shows nothing, open the address by hand.");
    }
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve());
    });
    await close();
  } finally {
    await scratch.remove();
  }
}
