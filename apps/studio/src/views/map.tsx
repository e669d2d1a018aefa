import { useCallback, useMemo, useState } from "preact/hooks";
import { run, shown, store } from "../state/store.js";
import { count, plural } from "./format.js";
import { views } from "./lazy.js";
import { Mount } from "./mount.js";
import { openSample } from "./open.js";
import { Scatter } from "./scatter.js";

/** Where the samples lie: some of them with details, or all of them at once. */
export function ClusterMap() {
  const { spread } = store;
  const { value: findings } = shown;
  const { value: current } = run;
  const [all, setAll] = useState(true);
  const n = spread.value?.x.length ?? 0;
  const few = findings !== null && findings.map.samples.length === n;
  const labels = useMemo(
    () => current?.info.labels.map((cluster) => current.groups[cluster]) ?? null,
    [current?.info.labels, current?.groups],
  );
  const detailed = <Detailed />;
  return (
    <section class="map" aria-labelledby="map-title">
      <div class="title">
        <h2 id="map-title">Map</h2>
        {!few && findings && (
          <div class="switch">
            <button type="button" aria-pressed={all} onClick={() => setAll(true)}>
              All {count(n)}
            </button>
            <button type="button" aria-pressed={!all} onClick={() => setAll(false)}>
              {count(findings.map.samples.length)} with details
            </button>
          </div>
        )}
      </div>
      {few || (!all && findings) ? (
        detailed
      ) : (
        <div class="card stage">
          {spread.value && current && (
            <Scatter
              {...spread.value}
              labels={labels}
              groups={current.info.counts.length}
              label={`${plural(n, "sample")}, coloured by cluster`}
              onSample={openSample}
              instead={detailed}
            />
          )}
        </div>
      )}
    </section>
  );
}

function Detailed() {
  const { value: findings } = shown;
  const { value: lib } = views;
  const draw = useCallback(
    () => (lib && findings ? lib.showMap(findings, { onSample: openSample }) : document.createElement("div")),
    [lib, findings],
  );
  return <Mount make={draw} />;
}
