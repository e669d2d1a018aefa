import type { Findings } from "bonmf-report";
import { useCallback, useState } from "preact/hooks";
import { mergeClusters, renameCluster, resetClusters } from "../state/edit.js";
import { listShown } from "../state/merge.js";
import { nameCluster, run } from "../state/store.js";
import { views } from "./lazy.js";
import { Mount } from "./mount.js";
import { openSample } from "./open.js";

interface Props {
  readonly findings: Findings;
  readonly onShow: (cluster: number) => void;
}

/** A card for each cluster, and a way to name and merge them. */
export function Clusters({ findings, onShow }: Props) {
  const { value: lib } = views;
  const draw = useCallback(
    () =>
      lib?.showCards(findings, {
        onCluster: (place) => onShow(findings.clusters[place].number),
        onSample: openSample,
      }) ?? document.createElement("div"),
    [lib, findings],
  );
  return (
    <section aria-labelledby="clusters-title">
      <div class="title">
        <h2 id="clusters-title">Clusters</h2>
      </div>
      <Editor />
      <Mount make={draw} />
    </section>
  );
}

function Editor() {
  const [chosen, setChosen] = useState(0);
  const [other, setOther] = useState(1);
  const { value: now } = run;
  if (!now) return null;
  const numbers = listShown(now.groups);
  const cluster = numbers.includes(chosen) ? chosen : numbers[0];
  const rest = numbers.filter((number) => number !== cluster);
  const second = rest.includes(other) ? other : rest[0];
  const merged = numbers.length < now.info.counts.length;
  const named = now.names.some((name) => name !== "");
  return (
    <div class="editor">
      <div class="field">
        <label for="group">Cluster</label>
        <Choice id="group" numbers={numbers} value={cluster} set={setChosen} />
      </div>
      <div class="field">
        <label for="group-name">Its name</label>
        <input
          id="group-name"
          key={`${now.info.id}-${cluster}`}
          value={now.names[cluster]}
          placeholder={`Cluster ${cluster}`}
          onChange={({ currentTarget }) => void renameCluster(cluster, currentTarget.value)}
        />
      </div>
      {rest.length > 0 && (
        <>
          <div class="field">
            <label for="other">Merge it with</label>
            <Choice id="other" numbers={rest} value={second} set={setOther} />
          </div>
          <button type="button" class="button" onClick={() => void mergeClusters(cluster, second)}>
            Merge
          </button>
        </>
      )}
      {(merged || named) && (
        <button type="button" class="quiet" onClick={() => void resetClusters()}>
          Remove names and merges
        </button>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly numbers: readonly number[];
  readonly value: number;
  readonly set: (cluster: number) => void;
}

function Choice({ id, numbers, value, set }: ChoiceProps) {
  const names = run.value?.names ?? [];
  return (
    <select id={id} value={value} onChange={({ currentTarget }) => set(Number(currentTarget.value))}>
      {numbers.map((number) => (
        <option key={number} value={number}>
          {nameCluster(names, number)}
        </option>
      ))}
    </select>
  );
}
