/** A word as a shell would read it back. */
export function quoteWord(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Arguments without an option and its value, in either way of writing. */
export function without(argv: readonly string[], option: string): string[] {
  return argv.filter((arg, i) => arg !== option && argv[i - 1] !== option && !arg.startsWith(`${option}=`));
}
