import { render } from "preact";
import { begin } from "./state/resume.js";
import "bonmf-report/style.css";
import "./style/index.css";
import { App } from "./views/app.js";

const root = document.getElementById("app");
if (root) render(<App />, root);
void begin();
