import { withBase } from "vitepress";
import { h } from "vue";

/** A page of the site in a frame: `<Demo src="/demo/report.html" title="…" />`. */
export default function Demo({ src, title }) {
  const address = withBase(src);
  return h("figure", { class: "demo" }, [
    h("iframe", { src: address, title, loading: "lazy" }),
    h("figcaption", h("a", { href: address, target: "_blank" }, "Open in its own tab")),
  ]);
}
Demo.props = ["src", "title"];
