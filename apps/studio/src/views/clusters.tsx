import type { Findings } from "bonmf-report";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { showSamples } from "../state/actions.js";
import { selectedCounts } from "../state/selected-clusters.js";
import { count } from "./format.js";
import { views } from "./lazy.js";
import { Mount } from "./mount.js";
import { openSample } from "./open.js";

/** A card for each cluster. */
export function Clusters({ findings }: { readonly findings: Findings }) {
  const { value: lib } = views;
  const draw = useCallback(
    () =>
      lib?.showCards(findings, {
        onCluster: (place) => showSamples({ cluster: findings.clusters[place].number }),
        onSample: openSample,
      }) ?? document.createElement("div"),
    [lib, findings],
  );
  const section = useRef<HTMLElement>(null);
  const { value: counts } = selectedCounts;
  // Cards are many: only their notes change with the selection.
  useEffect(() => {
    section.current?.querySelectorAll(".bonmf-card").forEach((card, place) => {
      const chosen = counts?.get(findings.clusters[place]?.number) ?? 0;
      card.querySelector(".chosen-note")?.remove();
      if (chosen === 0) return;
      const note = document.createElement("p");
      note.className = "chosen-note";
      note.textContent = `${count(chosen)} of ${count(findings.clusters[place].size)} selected`;
      note.style.setProperty("--bonmf-filled", String(chosen / findings.clusters[place].size));
      card.querySelector("header")?.append(note);
    });
  }, [counts, draw]);
  return (
    <section ref={section} aria-labelledby="clusters-title">
      <div class="title">
        <h2 id="clusters-title">One by one</h2>
      </div>
      <Mount make={draw} />
    </section>
  );
}
