import { useCallback } from "preact/hooks";
import { showSamples } from "../state/actions.js";
import { shown } from "../state/store.js";
import { percent } from "./format.js";
import { views } from "./lazy.js";
import { Mount } from "./mount.js";
import { fileStem } from "./save-results.js";

/** Clusters against the labels; each cell leads to its samples. */
export function Agreement() {
  const { value: findings } = shown;
  const { value: lib } = views;
  const matrix = useCallback(() => {
    if (!lib || !findings) return document.createElement("div");
    const view = lib.showMatrix(findings, {
      onCell: (label, place) =>
        showSamples({
          label: findings.agreement?.classes[label] ?? null,
          cluster: findings.clusters[place].number,
        }),
    });
    // Too many pairs are told in words.
    if (!findings.agreement?.counts) return view;
    return lib.showSavable("Classes against clusters", view, { file: fileStem() });
  }, [lib, findings]);
  const classes = useCallback(
    () => (lib && findings ? lib.showClasses(findings) : document.createElement("div")),
    [lib, findings],
  );
  if (!findings) return <p class="hint waiting">Looking at what was found…</p>;
  if (!findings.agreement) return <p class="hint">There are no labels to compare with: choose some under Data.</p>;
  const { labelAccuracy, baseline, nmi, ari } = findings.agreement;
  return (
    <>
      <header class="lead">
        <h2>{percent(labelAccuracy)} of the samples have the most frequent label of their cluster</h2>
        <p>
          Calling everything <bdi>{baseline.label}</bdi> would get {percent(baseline.share)}. NMI {nmi.toFixed(3)}, ARI{" "}
          {ari.toFixed(3)}. Choose a number to see its samples.
        </p>
      </header>
      <Mount make={matrix} />
      <Mount make={classes} />
    </>
  );
}
