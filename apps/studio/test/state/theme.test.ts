import { afterEach, beforeEach, expect, it, vi } from "vitest";

const kept = new Map<string, string>();
let system = { matches: false, hear: () => {} };

beforeEach(() => {
  vi.resetModules();
  kept.clear();
  system = { matches: false, hear: () => {} };
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.stubGlobal("matchMedia", () => ({
    get matches() {
      return system.matches;
    },
    addEventListener: (_: string, hear: () => void) => {
      system.hear = hear;
    },
  }));
  vi.stubGlobal("document", { body: { dataset: {} }, documentElement: { style: {} } });
});
afterEach(() => vi.unstubAllGlobals());

it("follows the system until a theme is chosen, which is kept", async () => {
  const first = await import("../../src/state/theme.js");
  first.applyTheme();
  expect(first.dark.value).toBe(false);
  system.matches = true;
  system.hear();
  expect(first.dark.value).toBe(true);
  expect(document.body.dataset.theme).toBeUndefined();
  first.theme.value = "light";
  expect(first.dark.value).toBe(false);
  expect(document.body.dataset.theme).toBe("light");
  vi.resetModules();
  const second = await import("../../src/state/theme.js");
  expect(second.theme.value).toBe("light");
  second.applyTheme();
  second.theme.value = "system";
  expect(document.body.dataset.theme).toBeUndefined();
});

it("works where storage is forbidden, and takes no other word", async () => {
  kept.set("bonmf-studio/theme", "pink");
  expect((await import("../../src/state/theme.js")).theme.value).toBe("system");
  vi.resetModules();
  vi.stubGlobal("localStorage", {
    getItem() {
      throw new Error("forbidden");
    },
    setItem() {
      throw new Error("forbidden");
    },
  });
  const { applyTheme, theme } = await import("../../src/state/theme.js");
  applyTheme();
  theme.value = "dark";
  expect(document.body.dataset.theme).toBe("dark");
});
