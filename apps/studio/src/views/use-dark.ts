import { useEffect, useMemo, useState } from "preact/hooks";

/** Whether the theme is dark: the system's, or the one that was chosen. */
export function useDark(): boolean {
  const query = useMemo(() => matchMedia("(prefers-color-scheme: dark)"), []);
  const [dark, setDark] = useState(isDark);
  useEffect(() => {
    const hear = () => setDark(isDark());
    query.addEventListener("change", hear);
    const watcher = new MutationObserver(hear);
    for (const one of [document.documentElement, document.body]) {
      watcher.observe(one, { attributes: true, attributeFilter: ["data-theme"] });
    }
    return () => {
      query.removeEventListener("change", hear);
      watcher.disconnect();
    };
  }, [query]);
  return dark;
}

function isDark(): boolean {
  return getComputedStyle(document.body).colorScheme === "dark";
}
