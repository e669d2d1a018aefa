import type { PrototypeSnapshot } from "../session/protocol.js";
import { store } from "../state/store.js";
import { percent } from "./format.js";
import { views } from "./lazy.js";
import { Picture } from "./picture.js";

/** Prototypes as they form. */
export function LivePrototypes({ snapshot: { sizes, pictures, words } }: { readonly snapshot: PrototypeSnapshot }) {
  const image = store.summary.value?.image;
  const total = sizes.reduce((sum, size) => sum + size, 0) || 1;
  const pixels = image ? image.width * image.height : 0;
  return (
    <ul class={pictures ? "live-prototypes" : "live-prototypes wordy"} aria-label="Prototypes as they form">
      {sizes.map((size, j) => (
        <li key={j} style={{ "--bonmf-colour": views.value?.colourOf(j, sizes.length) ?? "gray" }}>
          {pictures && image ? (
            <Picture
              greys={pictures.subarray(j * pixels, (j + 1) * pixels)}
              size={image}
              label={`Prototype of cluster ${j}`}
            />
          ) : (
            <p>{words?.[j].join(" · ")}</p>
          )}
          <span>
            <i class="bonmf-swatch" /> {percent(size / total)}
          </span>
        </li>
      ))}
    </ul>
  );
}
