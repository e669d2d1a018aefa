/** Finds columns by name: −1 where there is no such column, or another that SQL would not tell from it. */
export function indexColumns(columns: readonly { readonly name: string }[]): (name: string) => number {
  const places = new Map<string, number[]>();
  for (const [c, { name }] of columns.entries()) {
    const key = name.toLowerCase();
    places.set(key, [...(places.get(key) ?? []), c]);
  }
  return (name) => {
    const [place = -1, ...others] = places.get(name.toLowerCase()) ?? [];
    return others.length === 0 && columns[place]?.name === name ? place : -1;
  };
}
