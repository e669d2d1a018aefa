import type { Reference } from "./findings.js";

/** The first sentence of a summary where the clusters are no better than those of data without groups. */
export function warnOfChance({ samples, own, chance }: Reference): string {
  const share = (value: number) => `${(100 * value).toFixed(1)} %`;
  return (
    `These clusters are no better than those of data without groups: of ${samples.toLocaleString("en-US")} samples the same method explains ` +
    `${share(own.explained)} here and ${share(chance.explained)} there, with mean silhouettes of ` +
    `${own.silhouette.toFixed(2)} and ${chance.silhouette.toFixed(2)}. They divide the samples, but nothing shows that there are groups.`
  );
}
