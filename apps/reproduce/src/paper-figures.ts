/** The paper's own figures: Table 1 (shapes) and Table 2 (times in seconds, accuracy in percent). */

export interface Shape {
  readonly samples: number;
  readonly features: number;
  readonly classes: number;
}

export interface Figure {
  readonly train: number;
  readonly classify: number;
  readonly accuracy: number;
}

/** The columns of Table 2, in its order. */
export const TITLES = {
  onmf: "ONMF",
  nmf: "Lee and Seung",
  algorithm1: "Algorithm 1",
  "onmf+cos": "ONMF+cos",
  "semi-binary": "Zhang et al.",
} as const;
export type TitleName = keyof typeof TITLES;

export interface Entry {
  readonly shape: Shape;
  readonly figures: Readonly<Record<TitleName, Figure>>;
}

export const FIGURES = new Map(
  Object.entries<Entry>({
    orl: enter(
      [400, 4096, 40],
      [1.62, 1.63, 2.28, 1.63, 9.48],
      [0.24, 0.178, 0.09, 0.09, 0.2],
      [85, 85, 89.99, 89.99, 85],
    ),
    optdigits: enter(
      [5619, 65, 10],
      [0.38, 0.62, 2.6, 0.36, 3.72],
      [45.24, 38.97, 13.03, 13.23, 37.91],
      [53.45, 62.27, 80.78, 88.96, 48.12],
    ),
    phishing: enter(
      [11055, 68, 2],
      [0.87, 0.8, 3.42, 1.05, 1.96],
      [156.24, 142.92, 52.22, 53.14, 146.4],
      [54.76, 54.76, 91.85, 92.14, 54.76],
    ),
    monkey: enter(
      [471, 6, 2],
      [0.01, 0.01, 0.1, 0.01, 0.06],
      [0.45, 0.34, 0.14, 0.12, 0.31],
      [48.8, 48.8, 80.95, 80.95, 53.12],
    ),
    diabetes: enter(
      [767, 8, 2],
      [0.02, 0.01, 1.016, 0.01, 0.59],
      [0.8, 0.85, 0.24, 0.25, 0.67],
      [51.72, 51.72, 68.96, 68.96, 68.95],
    ),
    banking: enter(
      [8237, 13, 3],
      [0.05, 0.06, 2.01, 0.07, 1.56],
      [77.07, 70.87, 25.25, 27.42, 73.74],
      [87.05, 76.09, 87.05, 87.05, 87.05],
    ),
    svmguide: enter(
      [3087, 5, 2],
      [0.01, 0.01, 0.82, 0.02, 0.4],
      [13.9, 12.05, 4.93, 45.27, 13.51],
      [73.7, 65.73, 80.17, 80.17, 79.23],
    ),
    pendigits: enter(
      [10992, 17, 2],
      [2.33, 2.72, 5.08, 2.22, 4.86],
      [161.3, 161.5, 53.19, 54.39, 170.83],
      [90.47, 82.29, 90.47, 90.47, 90.47],
    ),
    w8a: enter(
      [49748, 300, 2],
      [29.8, 27.25, 37.96, 26.3, 32.93],
      [2851.52, 2721.82, 999.72, 1006.71, 2659.24],
      [95.25, 95.25, 97.14, 97.14, 97.14],
    ),
  }),
);

/** @param train in the order of `TITLES`, as the other two */
function enter(
  shape: readonly number[],
  train: readonly number[],
  classify: readonly number[],
  accuracy: readonly number[],
): Entry {
  const [samples, features, classes] = shape;
  const names = Object.keys(TITLES) as TitleName[];
  const figures = names.map((name, i) => [name, { train: train[i], classify: classify[i], accuracy: accuracy[i] }]);
  return { shape: { samples, features, classes }, figures: Object.fromEntries(figures) };
}
