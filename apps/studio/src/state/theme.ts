import { computed, effect, signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "bonmf-studio/theme";

/** Light, dark, or as the system is; kept for the next visit. */
export const theme = signal<Theme>(readKept());

const query = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
const systemDark = signal(query?.matches ?? false);
query?.addEventListener("change", () => {
  systemDark.value = query.matches;
});

/** Paper is light. */
const printing = signal(false);
globalThis.addEventListener?.("beforeprint", () => {
  printing.value = true;
});
globalThis.addEventListener?.("afterprint", () => {
  printing.value = false;
});

/** Whether the page is dark now. */
export const dark = computed(
  () => !printing.value && (theme.value === "system" ? systemDark.value : theme.value === "dark"),
);

/** Storage may be forbidden: then the choice lasts as long as the page. */
function readKept(): Theme {
  try {
    return THEMES.find((name) => name === localStorage.getItem(KEY)) ?? "system";
  } catch {
    return "system";
  }
}

/** Keeps the page in the theme. */
export function applyTheme(): () => void {
  return effect(() => {
    const { value: chosen } = theme;
    if (chosen === "system") delete document.body.dataset.theme;
    else document.body.dataset.theme = chosen;
    document.documentElement.style.colorScheme = chosen === "system" ? "" : chosen;
    try {
      localStorage.setItem(KEY, chosen);
    } catch {}
  });
}
