import { packFindings } from "./codec.js";
import type { Findings } from "./findings.js";
import type { TestFindings } from "./test-findings.js";
import { titleOf } from "./title.js";

/** One script runs, ours; nothing is loaded, sent or led elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'SCRIPT_HASH'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";

/** One self-contained HTML file: it opens from disk and makes no network requests. */
export async function renderPage(findings: Findings | TestFindings): Promise<string> {
  // Half a megabyte, loaded only when a page is written.
  const { SCRIPT, SCRIPT_HASH, STYLE } = await import("./assets.js");
  const title = `${titleOf(findings)} · bonmf report`;
  // The data could hold "</script>"; JSON may spell any character as an escape.
  const data = packFindings(findings).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="bonmf ${escapeHtml(findings.repeat.version)}">
<meta http-equiv="Content-Security-Policy" content="${POLICY.replace("SCRIPT_HASH", () => SCRIPT_HASH)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body class="bonmf">
<noscript><p>This report draws itself with JavaScript, which is switched off here.</p></noscript>
<script type="application/json" id="findings">${data}</script>
<script type="module">${SCRIPT}</script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
