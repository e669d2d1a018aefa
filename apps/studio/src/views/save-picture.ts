import { during } from "../state/busy.js";
import { loadViews, views } from "./lazy.js";

/** As the report's: a plot as it is on the page, in PNG or SVG. */
export async function savePicture(plot: Element, name: string, format: "png" | "svg"): Promise<void> {
  await during("Saving the picture…", async () => {
    await loadViews();
    await views.value?.savePicture(plot, name, format);
  });
}
