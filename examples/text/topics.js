// Topics of texts. Words are counted into a sparse matrix; tf-idf weighs them; each cluster is a topic.
import { countWords, fit } from "bonmf";

const texts = [
  "The striker scored twice and the team won the match.",
  "The keeper saved a penalty, and the home team won.",
  "A late goal decided the match for the visiting team.",
  "The coach praised the striker after the match.",
  "The minister promised lower taxes before the election.",
  "Voters doubt the minister's promise of lower taxes.",
  "The election will decide who raises taxes.",
  "Parliament debates the budget after the election.",
  "The telescope found water in the air of a distant planet.",
  "Astronomers measured the orbit of the planet with a telescope.",
  "A probe left its orbit and landed on the planet.",
  "The telescope saw a distant star explode.",
];

const { X, words } = countWords(texts);
console.log(`${X.samples} texts × ${X.features} words, ${X.values.length} of ${X.samples * X.features} values stored`);

const model = await fit(X, { k: 3, scale: "tfidf", init: "plusplus", restarts: 10, featureNames: words });
for (let topic = 0; topic < model.k; topic++) {
  const weights = model.W.row(topic);
  const top = words.map((word, i) => ({ word, weight: weights[i] })).sort((a, b) => b.weight - a.weight);
  const shown = top.slice(0, 4).map(({ word }) => word);
  console.log(`topic ${topic}: ${shown.join(", ")} (${model.counts[topic]} texts)`);
}

// New texts are counted by the same vocabulary.
const news = countWords(["The team lost the match.", "Taxes rise."], { vocabulary: words });
console.log(`new texts belong to topics ${model.predict(news.X).join(" and ")}`);
