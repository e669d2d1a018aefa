/** Documents of two sentences each from every subject, in turn. */
function mix(subjects: readonly (readonly string[])[], join: string): string[] {
  const documents: string[] = [];
  for (let i = 0; i < 60; i++) {
    const sentences = subjects[i % subjects.length];
    const n = sentences.length;
    const a = Math.floor(i / subjects.length) % n;
    const b = (a + 1 + (Math.floor(i / (subjects.length * n)) % (n - 1))) % n;
    documents.push(sentences[a] + join + sentences[b]);
  }
  return documents;
}

export const GERMAN = mix(
  [
    [
      "Der Stürmer hat ein Tor für die Mannschaft geschossen und ich war dabei.",
      "Die Mannschaft hat das Spiel gewonnen, aber du hast das Tor nicht gesehen.",
      "Wir haben das Spiel der Mannschaft mit dem neuen Trainer gesehen.",
      "Der Trainer war mit dem Tor und mit dem Spiel sehr zufrieden.",
    ],
    [
      "Die Ministerin will die Steuern senken, weil wir alle zu viel zahlen.",
      "Im Parlament wurde über die Steuern und über das Gesetz gestritten.",
      "Das Gesetz ist nicht so, wie die Ministerin es haben wollte.",
      "Ich habe im Parlament die Rede der Ministerin über das Gesetz gehört.",
    ],
    [
      "Der Arzt hat mir im Krankenhaus ein Medikament gegen das Fieber gegeben.",
      "Das Medikament hilft dem Patienten, wenn er es jeden Tag nimmt.",
      "Im Krankenhaus war der Patient bei einem Arzt, den ich kenne.",
      "Wenn du Fieber hast, dann sollst du zu dem Arzt gehen.",
    ],
  ],
  " ",
);
export const GERMAN_FUNCTION =
  "der die das ein eine einem einen dem den und aber ich du er es wir mir im ist war hat haben hast mit für über bei gegen zu nicht sehr so wie wenn dann weil alle viel sich";

export const CHINESE = mix(
  [
    [
      "这家酒店的房间很干净，我们都很喜欢",
      "酒店的服务员对我们很好，房间也很大",
      "我觉得这个酒店的早餐不是很好",
      "房间的窗户很大，但是酒店的价格也很高",
    ],
    [
      "球队在比赛中进了两个球，我们都很高兴",
      "这场比赛的教练是我喜欢的教练",
      "球队的教练说他们在比赛中很努力",
      "我们看了球队的比赛，也看了他们的训练",
    ],
    [
      "医生说这个病人的病不是很严重",
      "病人在医院里吃了药，现在很好",
      "医院的医生都很忙，我们等了很久",
      "这个药对病人很好，但是医生说要少吃",
    ],
  ],
  "。",
);
export const CHINESE_FUNCTION =
  "的 了 是 我 你 他 我们 你们 他们 在 和 有 不 不是 就 也 都 很 这 那 这个 那个 对 要 说 但是 中 里";
