import { libsvm, number, pinned } from "./address.js";
import { segment } from "./columns.js";
import type { Dataset, Part } from "./entry.js";

const arff = "renatopp/arff-datasets/c59f172882592bb58982cc54d2d3c8a2b57e9b73/classification";
const octis: Part = {
  urls: [
    pinned("MIND-Lab/OCTIS/8f9a0ac5a12e3b72ecd77dcba4f181c77e4595f1", "preprocessed_datasets/BBC_News/corpus.tsv"),
  ],
};
const gcn = "yao8839836/text_gcn/962223652e9bb164ac2d83cd09fc7b8845ce860b/data";
const reuters: Part[] = [{ urls: [pinned(gcn, "R8.txt")] }, { urls: [pinned(gcn, "corpus/R8.clean.txt")] }];
const mnist = (name: string): string[] => [
  `https://ossci-datasets.s3.amazonaws.com/mnist/${name}`,
  `https://storage.googleapis.com/cvdf-datasets/mnist/${name}`,
];

/** Those of the docs and benchmarks besides. */
export const other: readonly Dataset[] = [
  {
    name: "mnist10k",
    title: "MNIST test digits, 28 × 28",
    credit: "Y. LeCun, C. Cortes",
    licence: "CC BY-SA 3.0",
    paper: false,
    files: [
      {
        path: "mnist10k/mnist10k.csv.gz",
        rows: 10000,
        features: 784,
        classes: 10,
        bytes: 2113413,
        sha256: "7beefef03993f17e8e423157732422ec7f3fa5380c277f6751433b5987b370ff",
        origin: {
          form: "idx",
          columns: number("p", 0, 784),
          parts: [
            {
              urls: mnist("t10k-images-idx3-ubyte.gz"),
              sha256: "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
            },
            {
              urls: mnist("t10k-labels-idx1-ubyte.gz"),
              sha256: "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
            },
          ],
        },
      },
    ],
  },
  {
    name: "usps",
    title: "USPS digits, 16 × 16, 1,100 of each",
    credit: "J. Hull 1994; S. Roweis",
    licence: "not stated",
    paper: false,
    files: [
      {
        path: "usps/usps.csv.gz",
        rows: 11000,
        features: 256,
        classes: 10,
        bytes: 1751674,
        sha256: "a22373611e5c585f6895149a4bcc6ca21b3a8689ae215fc452a18628e6eaf658",
        origin: {
          form: "mat",
          columns: number("p", 0, 256),
          variable: "data",
          classes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 0],
          each: 1100,
          parts: [{ urls: ["https://cs.nyu.edu/~roweis/data/usps_all.mat"] }],
        },
      },
    ],
  },
  {
    name: "letter",
    title: "Printed letters (UCI)",
    credit: "P. Frey, D. Slate 1991",
    licence: "CC BY 4.0 (UCI)",
    paper: false,
    files: [
      {
        path: "letter/letter.csv.gz",
        rows: 20000,
        features: 16,
        classes: 26,
        bytes: 186831,
        sha256: "83f085f1cd9660a09ca230e0634ea77ff3cc6667870802367a6b7d9480136a91",
        origin: {
          form: "rows",
          columns: [
            "x_box",
            "y_box",
            "width",
            "high",
            "onpix",
            "x_bar",
            "y_bar",
            "x2bar",
            "y2bar",
            "xybar",
            "x2ybr",
            "xy2br",
            "x_ege",
            "xegvy",
            "y_ege",
            "yegvx",
          ],
          label: -1,
          openml: 6,
          parts: [{ urls: [pinned(arff, "letter.arff")] }],
        },
      },
    ],
  },
  {
    name: "segment",
    title: "Image segments (Statlog)",
    credit: "Vision Group, University of Massachusetts",
    licence: "CC BY 4.0 (UCI)",
    paper: false,
    files: [
      {
        path: "segment/segment.csv.gz",
        rows: 2310,
        features: 19,
        classes: 7,
        bytes: 91894,
        sha256: "b3246ee675950d48a5daaf90ebb99103ddb0b5184c2a45f47487855603d03bc0",
        origin: {
          form: "rows",
          columns: segment,
          label: -1,
          openml: 36,
          parts: [{ urls: [pinned(arff, "segment.arff")] }],
        },
      },
    ],
  },
  {
    name: "mushrooms",
    title: "Mushrooms, one 0/1 a value (LIBSVM)",
    credit: "J. Schlimmer 1987",
    licence: "CC BY 4.0 (UCI)",
    paper: false,
    files: [
      {
        path: "mushrooms/mushrooms.svm.gz",
        rows: 8124,
        features: 112,
        classes: 2,
        bytes: 35065,
        sha256: "03115cabe65c7634b8e4f1a5581a35cf9c4d1eade64ecfe33620c0efb5891cb9",
        origin: libsvm("mushrooms"),
      },
    ],
  },
  {
    name: "bbc",
    title: "BBC news, words and documents",
    credit: "D. Greene, P. Cunningham 2006; OCTIS",
    licence: "non-commercial research",
    paper: false,
    files: [
      {
        path: "bbc/bbc.svm.gz",
        rows: 2225,
        features: 2949,
        classes: 5,
        bytes: 360357,
        sha256: "b1c3c8a6c06e2525dce39f51d8c1b2237c41e3e84335952f0546559e1c38e6fa",
        origin: { form: "counts", corpus: "octis", parts: [octis] },
      },
      {
        path: "bbc/bbc-vocab.txt.gz",
        rows: 2949,
        bytes: 9068,
        sha256: "a7f07532406d157eaf0fc55386c5f960c36f33914369d2e84cb8bb2d5d781213",
        origin: { form: "vocabulary", corpus: "octis", parts: [octis] },
      },
      {
        path: "bbc/bbc-docs.csv.gz",
        rows: 2225,
        bytes: 622653,
        sha256: "57a72989fe5ab61c72ec202e067d6ce77742e7d05142d62f66cac55a33713ad9",
        origin: { form: "documents", corpus: "octis", parts: [octis] },
      },
    ],
  },
  {
    name: "r8",
    title: "Reuters-21578 R8, words and documents",
    credit: "Reuters; A. Cardoso-Cachopo; L. Yao et al.",
    licence: "research only",
    paper: false,
    files: [
      {
        path: "r8/r8.svm.gz",
        rows: 7674,
        features: 6173,
        classes: 8,
        bytes: 613349,
        sha256: "34cd7a6c76b5521202fc4517c511ae732aeb5971c701339b47b5dd402a5dde87",
        origin: { form: "counts", corpus: "text-gcn", parts: reuters },
      },
      {
        path: "r8/r8-vocab.txt.gz",
        rows: 6173,
        bytes: 18248,
        sha256: "880e19ae8c740a502eaadecdc7393ea06aa2540d9d09c1b422ff39c0845792ac",
        origin: { form: "vocabulary", corpus: "text-gcn", parts: reuters },
      },
      {
        path: "r8/r8-docs.csv.gz",
        rows: 7674,
        bytes: 921194,
        sha256: "00b8aa49c6439b77187cd5deaca4f7ed21ce1b86bb1df7f91b5bbd44264ea05a",
        origin: { form: "documents", corpus: "text-gcn", parts: reuters },
      },
    ],
  },
];
