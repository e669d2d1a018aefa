import { count, libsvm, number, pinned, uci } from "./address.js";
import { phishing } from "./columns.js";
import type { Dataset, Origin } from "./entry.js";

const optdigits = "prachispanse/Machine-Learning-Projects/27948bf8e5866686f78863d671f50c414c93f211";
const monks = (n: number, openml: number): Origin => ({
  form: "rows",
  columns: number("a", 1, 6),
  label: 0,
  drop: 7,
  openml,
  parts: ["train", "test"].map((part) => ({ urls: [uci(`monks-problems/monks-${n}.${part}`)] })),
});

/** The nine of the paper. */
export const paper: readonly Dataset[] = [
  {
    name: "orl",
    title: "ORL faces, 64 × 64 (Olivetti)",
    credit: "AT&T Laboratories Cambridge; S. Roweis",
    licence: "free for research with credit",
    paper: true,
    files: [
      {
        path: "orl/orl.csv.gz",
        rows: 400,
        features: 4096,
        classes: 40,
        bytes: 1706947,
        sha256: "ec174ebd225b6b83b054e6c5cde97d3e2e268859f3f538514390cf8f928a5daf",
        origin: {
          form: "mat",
          columns: number("p", 0, 4096),
          variable: "faces",
          classes: count(40),
          each: 10,
          parts: [
            {
              urls: [
                "https://ndownloader.figshare.com/files/5976027",
                "https://cs.nyu.edu/~roweis/data/olivettifaces.mat",
              ],
              sha256: "b612fb967f2dc77c9c62d3e1266e0c73d5fca46a4b8906c18e454d41af987794",
            },
          ],
        },
      },
    ],
  },
  {
    name: "optdigits",
    title: "Handwritten digits, 8 × 8 (UCI)",
    credit: "E. Alpaydin, C. Kaynak",
    licence: "CC BY 4.0 (UCI)",
    paper: true,
    files: [
      {
        path: "optdigits/optdigits.csv.gz",
        rows: 5620,
        features: 64,
        classes: 10,
        bytes: 160654,
        sha256: "c2a2aa2bf04bf5fcaf7809180817d3f2413ad7b06c8659fb7d8175202a5fbdfe",
        origin: {
          form: "rows",
          columns: number("a", 1, 64),
          label: -1,
          openml: 28,
          parts: ["tra", "tes"].map((part) => ({
            urls: [uci(`optdigits/optdigits.${part}`), pinned(optdigits, `optdigits.${part}`)],
          })),
        },
      },
    ],
  },
  {
    name: "phishing",
    title: "Phishing websites",
    credit: "R. Mohammad, F. Thabtah, L. McCluskey",
    licence: "CC BY 4.0 (UCI)",
    paper: true,
    files: [
      {
        path: "phishing/phishing.svm.gz",
        rows: 11055,
        features: 68,
        classes: 2,
        bytes: 137335,
        sha256: "0cf66ef36604c393da9359b2e5d894a2df8aee31fd184633cefa138add2ef08a",
        origin: libsvm("phishing"),
      },
      {
        path: "phishing/phishing-uci.csv.gz",
        rows: 11055,
        features: 30,
        classes: 2,
        bytes: 58926,
        sha256: "7a7026246acc7565bfa559f577b097d4df98b69e5945f2915f7f83255513a1ab",
        origin: {
          form: "rows",
          columns: phishing,
          label: -1,
          openml: 4534,
          parts: [{ urls: [uci("00327/Training%20Dataset.arff")] }],
        },
      },
    ],
  },
  {
    name: "monkey",
    title: "MONK's problems 1, 2, 3",
    credit: "S. Thrun et al. 1991",
    licence: "CC BY 4.0 (UCI)",
    paper: true,
    files: [
      {
        path: "monkey/monks-1.csv.gz",
        rows: 556,
        features: 6,
        classes: 2,
        bytes: 1193,
        sha256: "8d566049276f72d5416f20593769f6b669e3e8e8e2423da0500f8a213b516e6d",
        origin: monks(1, 333),
      },
      {
        path: "monkey/monks-2.csv.gz",
        rows: 601,
        features: 6,
        classes: 2,
        bytes: 1313,
        sha256: "f42b3dc4b975c3588217cb584b632f88d524a2da6d7a4d0c8870937b60a873b6",
        origin: monks(2, 334),
      },
      {
        path: "monkey/monks-3.csv.gz",
        rows: 554,
        features: 6,
        classes: 2,
        bytes: 1206,
        sha256: "919187c8566ea805bee753048ffbcd8d65706d7a9e2fa48e4245007fa4e09c6a",
        origin: monks(3, 335),
      },
    ],
  },
  {
    name: "pendigits",
    title: "Pen-written digits (UCI)",
    credit: "E. Alpaydin, F. Alimoglu",
    licence: "CC BY 4.0 (UCI)",
    paper: true,
    files: [
      {
        path: "pendigits/pendigits.csv.gz",
        rows: 10992,
        features: 16,
        classes: 10,
        bytes: 183431,
        sha256: "d33fd904acdf2672c982800d8ac9ca4ce70c8270b859aa40af23088da4428817",
        origin: {
          form: "rows",
          columns: number("a", 1, 16),
          label: -1,
          openml: 32,
          parts: ["tra", "tes"].map((part) => ({ urls: [uci(`pendigits/pendigits.${part}`)] })),
        },
      },
    ],
  },
  {
    name: "diabetes",
    title: "Pima Indians diabetes",
    credit: "National Institute of Diabetes and Digestive and Kidney Diseases",
    licence: "public domain",
    paper: true,
    files: [
      {
        path: "diabetes/diabetes.csv.gz",
        rows: 768,
        features: 8,
        classes: 2,
        bytes: 8728,
        sha256: "3f2e2dcaeaf0aa19b9b705a623f846a2271d5bbb91fe7ab97ccd84daaa22c361",
        origin: {
          form: "rows",
          columns: ["pregnancies", "glucose", "blood_pressure", "skin_thickness", "insulin", "bmi", "pedigree", "age"],
          label: -1,
          openml: 37,
          parts: [
            {
              urls: [
                pinned("jbrownlee/Datasets/d20fcb6402ae34e653d4513b00f39257bb37ed7f", "pima-indians-diabetes.csv"),
              ],
            },
          ],
        },
      },
    ],
  },
  {
    name: "w8a",
    title: "Web pages, w8a (LIBSVM)",
    credit: "J. Platt 1998",
    licence: "not stated",
    paper: true,
    files: [
      {
        path: "w8a/w8a.svm.gz",
        rows: 49749,
        features: 300,
        classes: 2,
        bytes: 465598,
        sha256: "05af7655871a35d5bc89c755791b5338a9969cb604c9df045c811c5e5a45426e",
        origin: libsvm("w8a"),
      },
    ],
  },
  {
    name: "banking",
    title: "Bank marketing, as in the paper",
    credit: "S. Moro, P. Cortez, P. Rita 2014",
    licence: "CC BY 4.0 (UCI)",
    paper: true,
    files: [
      {
        path: "banking/banking.csv.gz",
        rows: 8238,
        features: 12,
        classes: 3,
        bytes: 56107,
        sha256: "39f7f39404647412de5b48c31c839a6d1e090ea173c1f0d29aa5f686b8b562f1",
        origin: {
          form: "rows",
          columns: [
            "age",
            "job",
            "marital",
            "education",
            "default",
            "housing",
            "loan",
            "contact",
            "month",
            "day_of_week",
            "duration",
            "campaign",
          ],
          label: -1,
          header: true,
          parts: [
            {
              urls: [
                pinned("AsharaniSN/BankMarketingClassifier/68398e388ceed10ce66826968105459c70e6d65d", "new_test.csv"),
              ],
            },
          ],
        },
      },
    ],
  },
  {
    name: "svmguide",
    title: "Astroparticles, svmguide1 (LIBSVM)",
    credit: "C.-W. Hsu, C.-C. Chang, C.-J. Lin 2003",
    licence: "not stated",
    paper: true,
    files: [
      {
        path: "svmguide/svmguide1.svm.gz",
        rows: 3089,
        features: 4,
        classes: 2,
        bytes: 56603,
        sha256: "2b9ab55b6236f62cee6b7739b52f9e7cb033771f39b9c22c1f1790d80ef14d7f",
        origin: libsvm("svmguide1"),
      },
      {
        path: "svmguide/svmguide1-test.svm.gz",
        rows: 4000,
        features: 4,
        classes: 2,
        bytes: 72850,
        sha256: "f9c2fd4c725172aeb4476fc1e2327d537f7fbc2f53f49dfd073f80efbe1ba8f7",
        origin: libsvm("svmguide1.t"),
      },
    ],
  },
];
