/** Lists of stop words by three-letter code; it has no types of its own. */
declare module "stopword" {
  const lists: Readonly<Record<string, unknown>>;
  export = lists;
}
