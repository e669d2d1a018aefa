/** Options that an app may pass to a view; a report passes none. Every view is `(findings, options?) → HTMLElement`. */
export interface ViewOptions {
  /** The plot's width in pixels; by default plots follow the width of the page. */
  readonly width?: number;
  /** How the names of saved pictures begin; by default with the page's title. */
  readonly file?: string;
  /** Where given, clusters, samples and cells of the confusion matrix can be chosen, by pointer and keyboard. */
  readonly onCluster?: (cluster: number) => void;
  readonly onSample?: (sample: number) => void;
  /** Where given, clusters that a cut of the tree joins can be merged. */
  readonly onMerge?: (sets: readonly (readonly number[])[]) => void;
  /** @param label a place in `agreement.classes` */
  readonly onCell?: (label: number, cluster: number) => void;
}
