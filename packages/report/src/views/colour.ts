/** Hue, chroma and lightness offset of ten colours that people can tell apart and name. */
const FIRST = [
  [257, 0.16, 0],
  [52, 0.15, 0.06],
  [150, 0.14, -0.02],
  [352, 0.18, 0.02],
  [300, 0.16, 0],
  [200, 0.11, 0.06],
  [98, 0.13, 0.08],
  [25, 0.19, -0.05],
  [48, 0.07, -0.12],
  [260, 0.025, 0.02],
] as const;
const GOLDEN_ANGLE = 137.508;

/** The colour of cluster j, for marks on the page's ground in light and dark; the style sheet sets the lightness. */
export function colourOf(j: number, k = 0): string {
  const [hue, chroma, lighter] =
    k <= FIRST.length && j < FIRST.length ? FIRST[j] : [(257 + j * GOLDEN_ANGLE) % 360, 0.14, 0.07 * ((j % 3) - 1)];
  return `oklch(calc(var(--bonmf-lightness) + ${lighter}) ${chroma} ${hue})`;
}

/** The colour of a number between the least (0) and the most (1): blue, over red, to a light orange. */
export function colourAt(share: number): string {
  const hue = (265 + 130 * share) % 360;
  return `oklch(calc(var(--bonmf-lightness) + ${(0.26 * share - 0.12).toFixed(3)}) 0.15 ${hue.toFixed(1)})`;
}
