import type { Cluster, Findings } from "bonmf-report";
import { useState } from "preact/hooks";
import { isolate } from "../session/isolate.js";
import { renameCluster } from "../state/edit.js";
import { isWhole, selectCluster, selectedCounts } from "../state/selected-clusters.js";
import { colourCluster } from "./colour.js";
import { count, percent } from "./format.js";
import { Picture } from "./picture.js";

interface Props {
  readonly cluster: Cluster;
  readonly findings: Findings;
  /** Whether Tab reaches this row. */
  readonly active: boolean;
  readonly renaming: boolean;
  /** The cluster that waits for another to be merged with. */
  readonly merging: number | null;
  readonly onReach: () => void;
  readonly onRename: (open: boolean) => void;
  readonly onMerging: (cluster: number | null) => void;
  readonly onMerge: (one: number, other: number) => void;
  readonly onShow: () => void;
}

/** What is dragged: no other page and no file has it. */
const DRAGGED = "application/x-bonmf-cluster";
const WORDS = 4;

export function ClusterRow(props: Props) {
  const { cluster, findings, active, renaming, merging, onReach, onRename, onMerging, onMerge, onShow } = props;
  const [over, setOver] = useState(false);
  const { number, size, share } = cluster;
  const name = cluster.name ?? `Cluster ${number}`;
  const tab = active ? 0 : -1;
  const chosen = selectedCounts.value?.get(number) ?? 0;
  const hasCluster = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes(DRAGGED) ?? false;
  return (
    <li
      class={["cluster-row", chosen > 0 && "chosen", over && "over", merging === number && "waiting"]
        .filter(Boolean)
        .join(" ")}
      style={{ "--bonmf-colour": colourCluster(number), "--bonmf-filled": share }}
      draggable={!renaming}
      onDragStart={({ dataTransfer }) => dataTransfer?.setData(DRAGGED, String(number))}
      onDragOver={(event) => {
        if (!hasCluster(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!hasCluster(event)) return;
        event.preventDefault();
        event.stopPropagation();
        onMerge(Number(event.dataTransfer?.getData(DRAGGED)), number);
      }}
      onFocusCapture={onReach}
    >
      {renaming ? (
        <Rename cluster={cluster} close={() => onRename(false)} />
      ) : (
        <button
          type="button"
          class="row-main"
          data-cluster={number}
          tabIndex={tab}
          aria-pressed={isWhole(number)}
          onClick={({ ctrlKey, metaKey, shiftKey }) =>
            merging === null ? selectCluster(number, ctrlKey || metaKey || shiftKey) : onMerge(merging, number)
          }
          onDblClick={() => onRename(true)}
        >
          <Face cluster={cluster} findings={findings} />
          <span class="row-text">
            <bdi class="row-name">{name}</bdi>
            <span class="row-facts">
              {count(size)} · {percent(share)}
              {chosen > 0 && <b> · {count(chosen)} selected</b>}
            </span>
            <Telling cluster={cluster} />
          </span>
          <span class="bonmf-bar" aria-hidden="true" />
        </button>
      )}
      {!renaming && (
        <span class="row-actions">
          <button type="button" class="quiet" tabIndex={tab} onClick={onShow}>
            Show<span class="bonmf-spoken"> the samples of {name}</span>
          </button>
          <button type="button" class="quiet" tabIndex={tab} onClick={() => onRename(true)}>
            Rename<span class="bonmf-spoken"> {name}</span>
          </button>
          <button
            type="button"
            class="quiet"
            tabIndex={tab}
            aria-pressed={merging === number}
            onClick={() => onMerging(merging === number ? null : number)}
          >
            Merge<span class="bonmf-spoken"> {name} with another</span>
          </button>
        </span>
      )}
    </li>
  );
}

/** What it looks like: its prototype, or its colour. */
function Face({ cluster: { picture, number }, findings: { pictures } }: Pick<Props, "cluster" | "findings">) {
  if (!picture || !pictures) return <i class="bonmf-swatch" />;
  return (
    <span class="face">
      <Picture greys={picture} size={pictures} label={`Prototype of cluster ${number}`} />
    </span>
  );
}

/** The class that most members have, or what sets it apart. */
function Telling({ cluster: { majority, distinctive } }: { readonly cluster: Cluster }) {
  const words = distinctive.slice(0, WORDS).map((one) => (one.effect ? arrow(one.direction) : "") + isolate(one.name));
  return (
    <>
      {majority && (
        <span class="row-telling majority">
          <span>mostly </span>
          <bdi>{majority.label}</bdi>
          <span> ({percent(majority.share)})</span>
        </span>
      )}
      {words.length > 0 && <span class="row-telling">{words.join(" · ")}</span>}
    </>
  );
}

function arrow(direction: "high" | "low"): string {
  return direction === "high" ? "↑ " : "↓ ";
}

interface RenameProps {
  readonly cluster: Cluster;
  readonly close: () => void;
}

function Rename({ cluster: { number, name }, close }: RenameProps) {
  return (
    <form
      class="row-rename"
      onSubmit={(event) => {
        event.preventDefault();
        void renameCluster(number, String(new FormData(event.currentTarget).get("name")));
        close();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <input
        name="name"
        dir="auto"
        aria-label={`New name of ${name ?? `Cluster ${number}`}`}
        placeholder={`Cluster ${number}`}
        defaultValue={name ?? ""}
        ref={(field) => {
          if (field && document.activeElement !== field) {
            field.focus();
            field.select();
          }
        }}
      />
      <button type="submit" class="button">
        Rename
      </button>
    </form>
  );
}
