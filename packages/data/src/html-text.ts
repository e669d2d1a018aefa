/** Elements whose content nobody reads. */
const UNREAD = /^(script|style|template|noscript|svg)$/;
const TAG = /^<[/!?a-z]/i;

/** Whether a file holds HTML, by its ending. */
export function isHtml(path: string): boolean {
  return /\.(x?html?)$/i.test(path);
}

/** What can be read of a page: its text without tags, comments, scripts and styles. */
export function readHtml(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf("<", at);
    if (start < 0) break;
    if (!TAG.test(html.slice(start, start + 2))) {
      parts.push(html.slice(at, start + 1));
      at = start + 1;
      continue;
    }
    parts.push(html.slice(at, start), " ");
    at = findEnd(html, start);
  }
  parts.push(html.slice(at));
  return decodeEntities(parts.join("")).replace(/\s+/gu, " ").trim();
}

/** Where a tag, a comment, or an element that nobody reads ends: the end of the text where it is not closed. */
function findEnd(html: string, start: number): number {
  if (html.startsWith("<!--", start)) return after(html, "-->", start + 4);
  const end = after(html, ">", start);
  const name = /^[a-z]+/i.exec(html.slice(start + 1, start + 12))?.[0].toLowerCase() ?? "";
  if (!UNREAD.test(name)) return end;
  for (let close = end; ; close += 2) {
    close = html.indexOf("</", close);
    if (close < 0) return html.length;
    if (html.slice(close + 2, close + 2 + name.length).toLowerCase() === name) return after(html, ">", close);
  }
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

/** Names of the characters from 160 on. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.split(" ").map((name, i): [string, string] => [name, String.fromCharCode(160 + i)]),
  ...Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", ndash: "–", mdash: "—", hellip: "…" }),
  ...Object.entries({ lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", bdquo: "„", zwnj: "\u200c", euro: "€" }),
]);

/** Names that are not known stay as they are. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
  });
}
