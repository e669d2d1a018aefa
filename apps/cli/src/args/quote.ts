/** Quotes a word for a shell. */
export function quoteWord(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Removes an option and its value (--name value or --name=value). */
export function without(argv: readonly string[], option: string): string[] {
  return argv.filter((arg, i) => arg !== option && argv[i - 1] !== option && !arg.startsWith(`${option}=`));
}
