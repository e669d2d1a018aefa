/** What a report is called: the file's name without its folders. */
export function titleOf({ source }: { readonly source: string | null }): string {
  return source?.match(/[^/\\]+(?=[/\\]*$)/)?.[0] ?? "Clusters";
}
