import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { loadDataset } from "../datasets.js";

/** Two subjects, the sea and bread, in five scripts: the texts of the one, then those of the other. */
export const SCRIPTS: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  Latin: [
    [
      "Das Schiff fährt über das Meer und der Fischer wirft das Netz",
      "Der Fischer sieht die Wellen und das Schiff im Sturm",
      "Im Netz zappelt der Fisch, auf dem Meer tobt der Sturm",
      "Wellen tragen das Schiff, der Fisch schwimmt im Meer",
    ],
    [
      "Der Bäcker knetet den Teig und heizt den Ofen",
      "Aus Mehl und Hefe wird Teig, aus Teig wird Brot",
      "Das Brot kommt aus dem Ofen, der Bäcker nimmt Mehl",
      "Mehl, Hefe und Wasser: so backt der Bäcker Brot im Ofen",
    ],
  ],
  Cyrillic: [
    [
      "Корабль плывёт по морю, рыбак бросает сеть",
      "Рыбак видит волны, корабль попал в шторм",
      "В сети бьётся рыба, на море бушует шторм",
      "Волны несут корабль, рыба плавает в море, рыбак ждёт море",
    ],
    [
      "Пекарь месит тесто и топит печь",
      "Из муки и дрожжей делают тесто, из теста хлеб",
      "Хлеб вынимают из печи, пекарь берёт тесто",
      "Тесто подошло, пекарь ставит хлеб в печь",
    ],
  ],
  Han: [
    ["渔夫在海上撒网捕鱼", "海浪推着渔船，渔夫看着大海", "大海上有风暴，渔夫收起渔网", "渔夫驾着渔船在大海捕鱼"],
    [
      "面包师揉面团，烤箱已经热了",
      "面粉和酵母做成面团",
      "面包从烤箱里拿出来，面包很香",
      "面包师用面粉做面包，放进烤箱",
    ],
  ],
  Arabic: [
    [
      "السفينة تبحر في البحر والصياد يرمي الشبكة",
      "الصياد يرى الأمواج في البحر",
      "في الشبكة سمك والبحر هائج",
      "الأمواج تحمل السفينة في البحر الصياد ينتظر",
    ],
    [
      "الخباز يعجن العجين",
      "من الدقيق يصنع العجين ومن العجين الخبز",
      "الخبز يخرج من الفرن الخباز سعيد",
      "الخباز يخبز الخبز في الفرن من الدقيق",
    ],
  ],
  Devanagari: [
    [
      "मछुआरा समुद्र में जाल डालता है",
      "समुद्र की लहरें नाव को हिलाती हैं",
      "मछुआरा नाव में बैठकर समुद्र देखता है",
      "जाल में मछली है और नाव समुद्र में है",
    ],
    ["रसोइया आटा गूंधता है", "आटे से रोटी बनती है तवा गरम है", "रसोइया तवा पर रोटी सेंकता है", "गरम रोटी और आटा रसोइया लाया"],
  ],
};

/** The BBC's news: counts, texts and classes. Real only where the datasets are. */
export async function loadBbc() {
  const { X, featureNames, labels } = await loadDataset("bbc");
  if (X.kind !== "sparse") throw new Error("counts are sparse");
  return { counts: X, vocabulary: featureNames!, labels: labels! };
}

export function loadBbcTexts(): { texts: string[]; classes: string[] } {
  const bytes = readFileSync(join(process.env.BONMF_DATA_DIR ?? "", "bbc/bbc-docs.csv.gz"));
  const lines = gunzipSync(bytes).toString("utf8").trimEnd().split("\n").slice(1);
  const cut = lines.map((line) => line.lastIndexOf(","));
  return {
    texts: lines.map((line, i) => line.slice(0, cut[i])),
    classes: lines.map((line, i) => line.slice(cut[i] + 1).trim()),
  };
}
