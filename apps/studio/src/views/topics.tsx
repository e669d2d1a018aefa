import type { Findings } from "bonmf-report";
import { useCallback } from "preact/hooks";
import { showSamples } from "../state/actions.js";
import { views } from "./lazy.js";
import { Mount } from "./mount.js";
import { PlotCard } from "./plot-card.js";
import { fileStem } from "./save-results.js";

/** Of texts: the words of every topic by relevance, topics over time where there are dates, and how alike topics are. */
export function TopicViews({ findings }: { readonly findings: Findings }) {
  const { value: lib } = views;
  const words = useCallback(() => {
    if (!lib) return document.createElement("div");
    const onCluster = (place: number) => showSamples({ cluster: findings.clusters[place].number });
    return lib.showSavable("Topics", lib.showTopicWords(findings, { onCluster }), { file: fileStem() });
  }, [lib, findings]);
  const times = useCallback(() => lib?.showTopicTimes(findings) ?? document.createElement("div"), [lib, findings]);
  const alike = useCallback(() => {
    if (!lib) return document.createElement("div");
    return lib.showSavable("How alike topics are", lib.showTopicSimilarity(findings), { file: fileStem() });
  }, [lib, findings]);
  return (
    <section aria-labelledby="topics-title">
      <div class="title">
        <h2 id="topics-title">Topics</h2>
      </div>
      <div class="topics">
        <Mount make={words} />
        {findings.topics?.time && <PlotCard title="Topics over time" make={times} />}
        {findings.topics?.similarity && findings.clusters.length > 1 && <Mount make={alike} />}
      </div>
    </section>
  );
}
