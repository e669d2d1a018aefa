import type { Answer, Classified } from "../session/protocol.js";
import { shown, store } from "../state/store.js";
import { ClusterName, Prototype, Reasons } from "./detail.js";
import { count, percent, plural } from "./format.js";
import { NeighborList } from "./neighbor-list.js";
import { Picture } from "./picture.js";
import { saveFile } from "./save.js";

export function AnswerView({ answer }: { readonly answer: Answer }) {
  const { cluster, rival, cosine, margin, label, share, neighbors, reasons, closest, pixels } = answer;
  const image = store.summary.value?.image;
  return (
    <div class="answer">
      <p class="big">
        {label !== null && <strong>{label}</strong>} <ClusterName cluster={cluster} />
      </p>
      <p class="hint">
        {label !== null && share !== null && `${percent(share)} of its neighbours say so. `}
        Cosine {cosine.toFixed(3)} to the prototype, {Math.abs(margin).toFixed(3)} {margin < 0 ? "behind" : "ahead of"}{" "}
        the next.
        {store.summary.value?.form === "text" && ` ${plural(answer.known, "word")} of it are known.`}
        {answer.unknown.length > 0 && <> Unknown: {answer.unknown.join(", ")}.</>}
      </p>
      {shown.value?.pictures && (
        <div class="beside">
          {pixels && image && (
            <figure>
              <Picture greys={pixels} size={image} label="The new sample, as the model sees it" />
              <figcaption>as the model sees it</figcaption>
            </figure>
          )}
          <Prototype cluster={cluster} />
          {rival !== null && <Prototype cluster={rival} />}
        </div>
      )}
      <h3>Closest prototypes</h3>
      <ul class="bars">
        {closest.slice(0, 5).map(({ cluster, cosine }) => (
          <li key={cluster}>
            <ClusterName cluster={cluster} />
            <span class="bonmf-bar" aria-hidden="true" style={{ "--bonmf-filled": Math.max(0, cosine) }} />
            <small>{cosine.toFixed(3)}</small>
          </li>
        ))}
      </ul>
      {neighbors.length > 0 && (
        <>
          <h3>The training samples nearest to it</h3>
          <NeighborList rows={neighbors} />
        </>
      )}
      {rival !== null && reasons.length > 0 && <Reasons reasons={reasons} cluster={cluster} rival={rival} />}
    </div>
  );
}

/** How the samples of a file were divided. */
export function FileAnswer({ file, name }: { readonly file: Classified; readonly name: string }) {
  const most = file.clusters[0]?.samples ?? 1;
  return (
    <div class="answer">
      <p class="big">
        {plural(file.samples, "sample")} of <bdi>{name}</bdi>
      </p>
      <ul class="bars">
        {file.clusters.map(({ cluster, samples }) => (
          <li key={cluster}>
            <ClusterName cluster={cluster} />
            <span class="bonmf-bar" aria-hidden="true" style={{ "--bonmf-filled": samples / most }} />
            <small>{count(samples)}</small>
          </li>
        ))}
      </ul>
      <div>
        <button
          type="button"
          class="button primary"
          onClick={() => saveFile(`${name.replace(/(\.\w+)+$/, "")}-clusters.csv`, [file.csv], "text/csv")}
        >
          Save their clusters
        </button>
      </div>
    </div>
  );
}
