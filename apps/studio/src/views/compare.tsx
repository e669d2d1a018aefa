import type { Findings } from "bonmf-report";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Comparison } from "../session/protocol.js";
import { session } from "../state/session.js";
import { type Run, store } from "../state/store.js";
import { Advice } from "./advice.js";
import { Matched, Moved } from "./compare-clusters.js";
import { BothMaps } from "./compare-maps.js";
import { count, describeClusters, duration, percent } from "./format.js";
import { views } from "./lazy.js";
import { Mount } from "./mount.js";
import { fileStem } from "./save-results.js";

/** Runs beside each other, and other numbers of clusters. */
export function Compare() {
  return (
    <>
      <Advice />
      <SideBySide />
    </>
  );
}

function SideBySide() {
  const { runs } = store;
  const [left, setLeft] = useState<number | null>(null);
  const [right, setRight] = useState<number | null>(null);
  const [found, setFound] = useState<Comparison | null>(null);
  const [both, setBoth] = useState<readonly (Findings | null)[]>([null, null]);
  const a = runs.value.find(({ info }) => info.id === left) ?? runs.value.at(-2);
  const b = runs.value.find(({ info }) => info.id === right) ?? runs.value.at(-1);
  const [idA, idB] = [a?.info.id, b?.info.id];
  // Both change with merges.
  const [infoA, infoB] = [a?.info, b?.info];
  useEffect(() => {
    setFound(null);
    setBoth([null, null]);
    if (idA === undefined || idB === undefined || idA === idB) return;
    let late = false;
    void session.compare(idA, idB).then((comparison) => {
      if (!late) setFound(comparison);
    });
    void Promise.all([session.findings(idA), session.findings(idB)]).then((findings) => {
      if (!late) setBoth(findings);
    });
    return () => {
      late = true;
    };
  }, [infoA, infoB]);
  const [sideA, sideB] = [
    { run: a!, findings: both[0] },
    { run: b!, findings: both[1] },
  ];
  return (
    <section class="side-by-side" aria-labelledby="side-title">
      <div class="title">
        <h2 id="side-title">Two runs side by side</h2>
      </div>
      {!a || !b || a === b ? (
        <p class="empty">Fit twice, with another k, method or seed, and the two runs stand here side by side.</p>
      ) : (
        <>
          <div class="row">
            <RunChoice id="left" title="Left" value={a.info.id} set={setLeft} />
            <RunChoice id="right" title="Right" value={b.info.id} set={setRight} />
          </div>
          <Figures left={a} right={b} found={found} />
          {found && (
            <>
              <Matched left={sideA} right={sideB} found={found} />
              <Moved left={sideA} right={sideB} found={found} />
              <BothMaps left={sideA} right={sideB} found={found} />
              <Shared found={found} />
            </>
          )}
        </>
      )}
    </section>
  );
}

interface RunChoiceProps {
  readonly id: string;
  readonly title: string;
  readonly value: number;
  readonly set: (id: number) => void;
}

function RunChoice({ id, title, value, set }: RunChoiceProps) {
  return (
    <div class="field">
      <label for={id}>{title}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => set(Number(currentTarget.value))}>
        {store.runs.value.map(({ info }) => (
          <option key={info.id} value={info.id}>
            Run {info.id}: {info.order.method}, k = {info.order.k}, seed {info.order.seed}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FiguresProps {
  readonly left: Run;
  readonly right: Run;
  readonly found: Comparison | null;
}

function Figures({ left, right, found }: FiguresProps) {
  const rows: [string, (run: Run) => string][] = [
    ["Method", ({ info }) => info.order.method],
    ["Clusters", ({ groups }) => describeClusters(groups)],
    ["Scaling", ({ info }) => info.order.scale],
    ["Seed", ({ info }) => String(info.order.seed)],
    ["Explained", ({ info }) => (info.explained === null ? "–" : percent(info.explained))],
    ["Relative error", ({ info }) => percent(info.relativeError)],
    ["Iterations", ({ info }) => count(info.iterations)],
    ["Time", ({ info }) => duration(info)],
  ];
  if (left.info.accuracy !== null) {
    rows.push(["In majority class", ({ info }) => percent(info.accuracy ?? 0)]);
    rows.push(["NMI with the labels", ({ info }) => (info.nmi ?? 0).toFixed(3)]);
    rows.push(["ARI with the labels", ({ info }) => (info.ari ?? 0).toFixed(3)]);
  }
  return (
    <table class="figures card">
      <caption>
        {found
          ? `They agree with each other by ARI ${found.ari.toFixed(3)} and NMI ${found.nmi.toFixed(3)}.`
          : "Comparing…"}
      </caption>
      <thead>
        <tr>
          <td />
          <th scope="col">Run {left.info.id}</th>
          <th scope="col">Run {right.info.id}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name} class={value(left) === value(right) ? "" : "other"}>
            <th scope="row">{name}</th>
            <td>{value(left)}</td>
            <td>{value(right)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Contingency table: clusters of the right run as rows, of the left as columns. */
function Shared({ found: { findings } }: { readonly found: Comparison }) {
  const { value: lib } = views;
  const draw = useCallback(() => {
    if (!lib) return document.createElement("div");
    const view = lib.showMatrix(findings);
    const caption = view.querySelector("caption");
    if (caption)
      caption.textContent = "Rows are clusters of the right run, columns of the left; cells count shared samples.";
    return lib.showSavable("Clusters of both runs", view, { file: fileStem() });
  }, [lib, findings]);
  return <Mount make={draw} />;
}
