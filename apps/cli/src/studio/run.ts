import { randomBytes } from "node:crypto";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { Scratch } from "../read/files/scratch.js";
import { findFiles, keepStreams } from "../read/files/sources.js";
import { openBrowser } from "./browser.js";
import { findStudio } from "./find.js";
import { openServer } from "./server.js";
import type { Shared } from "./share.js";

/** Serves the studio until Ctrl-C. */
export async function run({ args, options, terminal, signal }: Call): Promise<void> {
  const port = options.number("port") ?? 0;
  if (port < 0 || port > 65_535) throw new UserError(`--port must be 0 … 65535, not ${port}`);
  const scratch = new Scratch();
  try {
    const files = args.length === 0 ? [] : await keepStreams(await findFiles(args), { signal }, scratch);
    const shared: Shared = { token: randomBytes(16).toString("base64url"), files };
    const { address, close } = await openServer(await findStudio(), shared, port);
    const url = files.length === 0 ? address : `${address}#open=${shared.token}`;
    if (terminal.json) terminal.out(JSON.stringify({ url }));
    else terminal.out(`${terminal.style.bold("bonmf studio")} is at ${terminal.style.accent(url)}`);
    if (!terminal.json) terminal.note("No data leaves this machine. Press Ctrl-C to stop.");
    if (!options.flag("no-open") && !(await openBrowser(url)))
      terminal.note("No browser could be opened: open the address by hand.");
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve());
    });
    await close();
  } finally {
    await scratch.remove();
  }
}
