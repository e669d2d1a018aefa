/** Gives a plot one text alternative; Plot's own labels of its parts tell a screen reader nothing. */
export function describe<T extends Element>(plot: T, text: string, role: "img" | "application" = "img"): T {
  for (const part of plot.querySelectorAll("[aria-label], [aria-description]")) {
    part.removeAttribute("aria-label");
    part.removeAttribute("aria-description");
  }
  plot.setAttribute("role", role);
  plot.setAttribute("aria-label", text);
  return plot;
}
