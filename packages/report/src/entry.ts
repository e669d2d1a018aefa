import { unpackFindings } from "./codec.js";
import { showReport } from "./views/report.js";
import { showTestReport } from "./views/test-report.js";

/** The script of the page. */
const data = document.getElementById("findings");
if (data?.textContent) {
  const findings = unpackFindings(data.textContent);
  document.body.append("kind" in findings ? showTestReport(findings) : showReport(findings));
}
