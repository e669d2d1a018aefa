import { signal } from "@preact/signals";

export type Views = typeof import("bonmf-report/views");

/** The report's views, with the chart library: loaded once there is something to draw. */
export const views = signal<Views | null>(null);

export async function loadViews(): Promise<void> {
  views.value ??= await import("bonmf-report/views");
}
