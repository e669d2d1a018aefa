import type { Findings } from "bonmf-report";
import { useCallback } from "preact/hooks";
import { showSamples } from "../state/actions.js";
import { views } from "./lazy.js";
import { Mount } from "./mount.js";

/** Of texts: the words of every topic by relevance, and how alike topics are. */
export function TopicWords({ findings }: { readonly findings: Findings }) {
  const { value: lib } = views;
  const draw = useCallback(() => {
    const box = document.createElement("div");
    if (!lib) return box;
    const onCluster = (place: number) => showSamples({ cluster: findings.clusters[place].number });
    box.append(lib.showTopicWords(findings, { onCluster }));
    if (findings.topics?.similarity && findings.clusters.length > 1) box.append(lib.showTopicSimilarity(findings));
    return box;
  }, [lib, findings]);
  return (
    <section aria-labelledby="topics-title">
      <div class="title">
        <h2 id="topics-title">Topics</h2>
      </div>
      <Mount make={draw} class="topics" />
    </section>
  );
}
