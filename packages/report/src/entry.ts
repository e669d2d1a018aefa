import { unpackFindings } from "./codec.js";
import { showReport } from "./views/report.js";

/** The script of the page. */
const data = document.getElementById("findings");
if (data?.textContent) document.body.append(showReport(unpackFindings(data.textContent)));
