import type * as Library from "bonmf";
import { countWordsInThreads } from "bonmf";
import { afterEach, expect, it, vi } from "vitest";
import { countDocuments } from "../src/documents.js";

vi.mock("bonmf", async (load) => {
  const library = await load<typeof Library>();
  return { ...library, countWordsInThreads: vi.fn(library.countWordsInThreads) };
});

afterEach(() => vi.mocked(countWordsInThreads).mockClear());

const texts = ["The cat chased a mouse", "A mouse fears the cat", "Stocks fell with bonds", "The bank sold bonds"];
const documents = { texts, labels: null, ids: null, weights: null, notes: [] };

it.each([
  ["of new texts", {}],
  ["of a vocabulary", { words: { vocabulary: ["cat", "mouse"] } }],
  ["of stems of a vocabulary", { words: { vocabulary: ["cat", "mouse"], stem: true, language: "en" } }],
  ["of a model", { like: { count: 2, features: ["cat", "mouse"], recipe: { kind: "text" as const } } }],
])("words %s are counted by as many threads as are asked for", async (_, options) => {
  await countDocuments(documents, { ...options, threads: 3 });
  expect(vi.mocked(countWordsInThreads).mock.calls.map(([, { threads } = {}]) => threads)).toEqual([3]);
});
