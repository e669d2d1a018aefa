import type { Origin } from "./entry.js";

export const uci = (path: string): string => `https://archive.ics.uci.edu/ml/machine-learning-databases/${path}`;
export const pinned = (repo: string, path: string): string => `https://raw.githubusercontent.com/${repo}/${path}`;
export const libsvm = (name: string): Origin => ({
  form: "libsvm",
  parts: [{ urls: [`https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/${name}`] }],
});
export const number = (prefix: string, first: number, length: number): string[] =>
  Array.from({ length }, (_, i) => `${prefix}${first + i}`);
export const count = (length: number): number[] => Array.from({ length }, (_, i) => i);
