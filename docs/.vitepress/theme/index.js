import DefaultTheme from "vitepress/theme";
import Demo from "./demo.js";
import { listen } from "./run.js";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("Demo", Demo);
    if (typeof document !== "undefined") listen();
  },
};
