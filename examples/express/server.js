// A server that classifies short messages, says why, and refuses what it does not know.
//
//   node server.js
//   curl localhost:3000/classify -H 'content-type: application/json' -d '{"text": "my card was charged twice"}'
import { pathToFileURL } from "node:url";
import { classifier, countWords, fit } from "bonmf";
import express from "express";

const EXAMPLES = {
  billing: [
    "I was charged twice on my card",
    "refund the charge on my invoice",
    "the invoice shows a wrong charge",
    "my card was refused at payment",
  ],
  login: [
    "I cannot log in with my password",
    "reset my password please",
    "the login page rejects my password",
    "locked out of my account after login",
  ],
  delivery: [
    "my parcel has not arrived",
    "the parcel arrived damaged",
    "where is the courier with my parcel",
    "change the delivery address of my parcel",
  ],
};

export async function createApp() {
  const classify = await train();
  const app = express();
  app.use(express.json({ limit: "10kb" }));
  app.post("/classify", (request, response) => {
    const { text } = request.body ?? {};
    if (typeof text !== "string") return response.status(400).json({ error: 'send {"text": "…"}' });
    return response.json(classify(text));
  });
  return app;
}

async function train() {
  const texts = Object.values(EXAMPLES).flat();
  const labels = Object.entries(EXAMPLES).flatMap(([label, list]) => list.map(() => label));
  const { X, words } = countWords(texts);
  const model = await fit(X, { k: 3, scale: "tfidf", init: "plusplus", restarts: 10, seed: 1 });
  // `angle` refuses texts that share nothing with any cluster: π / 2 is a right angle.
  const clf = await classifier(model, X, labels, { scheme: "vote", neighbors: 3, reject: { angle: 1.5 } });
  return (text) => {
    const [{ label, share, neighbor }] = clf.explain(countWords([text], { vocabulary: words }).X);
    return { class: label, share, because: label === null ? null : texts[neighbor.index] };
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const app = await createApp();
  const server = app.listen(process.env.PORT ?? 3000, () => console.log(`listening on port ${server.address().port}`));
}
