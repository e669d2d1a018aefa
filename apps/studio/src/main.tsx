import { render } from "preact";
import { begin } from "./state/resume.js";
import { applyTheme } from "./state/theme.js";
import "bonmf-report/style.css";
import "./style/index.css";
import { App } from "./views/app.js";

applyTheme();
const root = document.getElementById("app");
if (root) render(<App />, root);
void begin();
