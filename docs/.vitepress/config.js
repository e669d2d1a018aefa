import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { addRunButtons } from "./runnable.js";

const REPOSITORY = "https://github.com/bonmf/bonmf";
const reference = fileURLToPath(new URL("../api/typedoc-sidebar.json", import.meta.url));

export default defineConfig({
  title: "bonmf",
  description: "Clusters a person can read: binary orthogonal non-negative matrix factorization for Node and browsers",
  base: process.env.DOCS_BASE ?? "/bonmf/",
  cleanUrls: true,
  lastUpdated: false,
  srcExclude: ["README.md"],
  head: [["link", { rel: "icon", href: `${process.env.DOCS_BASE ?? "/bonmf/"}icon.svg` }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" }, // enough contrast on the code's background
    config: (md) => {
      leadOutside(md);
      addRunButtons(md);
    },
  },
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local" },
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    nav: [
      {
        text: "Guide",
        link: "/start",
        activeMatch: "^/(start|cli|tables|methods|first-answer|choose|map|topics|classification|scale|gpu|examples)",
      },
      { text: "Studio", link: "/studio" },
      { text: "Report", link: "/report" },
      { text: "API", link: "/api/", activeMatch: "^/api/" },
      { text: "Benchmarks", link: "/benchmarks" },
    ],
    sidebar: {
      "/": [
        {
          text: "Guide",
          items: [
            { text: "Getting started", link: "/start" },
            { text: "The command", link: "/cli" },
            { text: "Tables", link: "/tables" },
            { text: "Methods", link: "/methods" },
            { text: "The first answer", link: "/first-answer" },
            { text: "How many clusters", link: "/choose" },
            { text: "A map of the samples", link: "/map" },
            { text: "Topics", link: "/topics" },
            { text: "Classification", link: "/classification" },
            { text: "Large data", link: "/scale" },
            { text: "On the GPU", link: "/gpu" },
            { text: "Examples", link: "/examples" },
          ],
        },
        {
          text: "Demos",
          items: [
            { text: "The studio", link: "/studio" },
            { text: "The report", link: "/report" },
          ],
        },
        {
          text: "Reference",
          items: [
            { text: "API", link: "/api/" },
            { text: "Model file", link: "/model-file" },
            { text: "Benchmarks", link: "/benchmarks" },
            { text: "Reliability", link: "/reliability" },
            { text: "The paper", link: "/paper" },
            { text: "Table 2", link: "/table2" },
            { text: "Changelog", link: "/changelog" },
          ],
        },
      ],
      "/api/": [
        { text: "API reference", link: "/api/" },
        ...(existsSync(reference) ? JSON.parse(readFileSync(reference, "utf8")) : []),
      ],
    },
    footer: { message: "MIT licence. Nothing on this site sends your data anywhere." },
  },
});

/**
 * Pages are also read in the repository, where links may lead out of docs/. Here those go to the repository. What the
 * root's pages call docs/… lies beside them here.
 */
function leadOutside(md) {
  const move = (href) => {
    if (href.startsWith("docs/")) return `./${href.slice("docs/".length)}`;
    if (href === "../BENCHMARKS.md" || href === "BENCHMARKS.md") return "./benchmarks.md";
    if (href.startsWith("../") && !href.includes(".md#")) return `${REPOSITORY}/blob/main/${href.slice(3)}`;
    return href;
  };
  md.core.ruler.push("lead-outside", ({ tokens, env }) => {
    if (env.relativePath?.startsWith("api/")) return;
    for (const { children } of tokens) {
      for (const child of children ?? []) {
        for (const name of ["href", "src"]) {
          const value = child.attrGet(name);
          if (value) child.attrSet(name, move(value));
        }
      }
    }
  });
}
