/** A name or value of an ARFF line. */
export interface ArffWord {
  /** Without quotes and escapes, or without the blanks around it. */
  readonly text: string;
  readonly quoted: boolean;
  /** Where the line goes on: after the closing quote and blanks, or at the character that ended the word. */
  readonly end: number;
}

/**
 * Reads a word that is quoted with ' or ", or goes on until a stop; undefined where its quote is never closed. Character by
 * character: a regular expression with blanks before and after a word takes quadratic time.
 *
 * @param stops characters that end a plain word; a blank among them stands for all
 */
export function readArffWord(line: string, from: number, stops: string): ArffWord | undefined {
  const start = skipBlanks(line, from);
  const mark = line[start];
  if (mark === "'" || mark === '"') {
    let close = start + 1;
    while (close < line.length && line[close] !== mark) close += line[close] === "\\" ? 2 : 1;
    if (close >= line.length) return undefined;
    return { text: dropEscapes(line.slice(start + 1, close)), quoted: true, end: skipBlanks(line, close + 1) };
  }
  const blank = stops.includes(" ");
  let end = start;
  while (end < line.length && !stops.includes(line[end]) && !(blank && isBlank(line, end))) end++;
  return { text: line.slice(start, end).trim(), quoted: false, end };
}

export function skipBlanks(line: string, from: number): number {
  let at = from;
  while (at < line.length && isBlank(line, at)) at++;
  return at;
}

function isBlank(line: string, at: number): boolean {
  return line.charCodeAt(at) <= 32;
}

export function dropEscapes(text: string): string {
  return text.replace(/\\(.)/gs, "$1");
}
