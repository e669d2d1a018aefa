import type { Findings } from "bonmf-report";
import { useCallback, useState } from "preact/hooks";
import { mergeGroups, renameGroup, splitGroups } from "../state/actions.js";
import { nameGroup, run } from "../state/store.js";
import { views } from "./lazy.js";
import { Mount } from "./mount.js";
import { openSample } from "./open.js";

interface Props {
  readonly findings: Findings;
  readonly onShow: (group: number) => void;
}

/** A card for each cluster, and a way to name and merge them. */
export function Clusters({ findings, onShow }: Props) {
  const { value: lib } = views;
  const draw = useCallback(
    () => lib?.showCards(findings, { onCluster: onShow, onSample: openSample }) ?? document.createElement("div"),
    [lib, findings],
  );
  return (
    <section aria-labelledby="clusters-title">
      <div class="title">
        <h2 id="clusters-title">Clusters</h2>
      </div>
      <Editor count={findings.clusters.length} />
      <Mount make={draw} />
    </section>
  );
}

function Editor({ count }: { readonly count: number }) {
  const [chosen, setChosen] = useState(0);
  const [other, setOther] = useState(1);
  const { value: now } = run;
  if (!now) return null;
  const group = Math.min(chosen, count - 1);
  const second = other < count && other !== group ? other : group === 0 ? 1 : 0;
  const groups = Array.from({ length: count }, (_, g) => g);
  const merged = count < now.info.counts.length;
  const named = now.names.some((name) => name !== "");
  return (
    <div class="editor">
      <div class="field">
        <label for="group">Cluster</label>
        <Choice id="group" groups={groups} value={group} set={setChosen} />
      </div>
      <div class="field">
        <label for="group-name">Its name</label>
        <input
          id="group-name"
          key={`${now.info.id}-${group}`}
          value={now.names[group]}
          placeholder={`Cluster ${group}`}
          onChange={({ currentTarget }) => renameGroup(group, currentTarget.value)}
        />
      </div>
      {count > 1 && (
        <>
          <div class="field">
            <label for="other">Merge it with</label>
            <Choice id="other" groups={groups.filter((g) => g !== group)} value={second} set={setOther} />
          </div>
          <button type="button" class="button" onClick={() => mergeGroups(group, second)}>
            Merge
          </button>
        </>
      )}
      {(merged || named) && (
        <button type="button" class="quiet" onClick={() => splitGroups()}>
          Undo names and merges
        </button>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly groups: readonly number[];
  readonly value: number;
  readonly set: (group: number) => void;
}

function Choice({ id, groups, value, set }: ChoiceProps) {
  const names = run.value?.names ?? [];
  return (
    <select id={id} value={value} onChange={({ currentTarget }) => set(Number(currentTarget.value))}>
      {groups.map((group) => (
        <option key={group} value={group}>
          {nameGroup(names, group)}
        </option>
      ))}
    </select>
  );
}
