/** A4 within margins of 12 mm, in pixels. */
const PAPER = { width: 703, height: 1032 };

/**
 * What is wrong with a page on paper: parts that are cut off or wider than the paper, and what can only be pressed. The page
 * stays as printed.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export async function findPrintFaults(page) {
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.setViewportSize(PAPER);
  const tools = await page.evaluate(listTools);
  const cut = await page.evaluate(listCut, PAPER.width);
  return [...tools, ...cut];
}

/** Names that lead somewhere, pictures and legends are content. */
function listTools() {
  const content = ".bonmf-link, .bonmf-chip, .chip, .bonmf-tile, .row-main, .tile";
  return [...document.querySelectorAll("button, select, input, textarea")]
    .filter((tool) => tool.checkVisibility({ visibilityProperty: true }) && !tool.matches(content))
    .map((tool) => `on paper: ${tool.outerHTML.slice(0, 100)}`);
}

/** @param {number} width the paper's */
function listCut(width) {
  const selector = ".bonmf-matrix, .bonmf-plot, .bonmf-stage, canvas, .overlay, .bonmf-legend, .map-legend";
  const parts = [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility());
  if (parts.length === 0) return ["there is nothing that could be cut off"];
  return parts.flatMap((part) => {
    const { left, right, bottom } = part.getBoundingClientRect();
    const problems = left < -1 || right > width + 1 ? [`from ${left} to ${right} on a paper of ${width}`] : [];
    for (let frame = part.parentElement; frame; frame = frame.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(frame);
      const box = frame.getBoundingClientRect();
      const cut =
        (overflowX !== "visible" && right > box.right + 1) || (overflowY !== "visible" && bottom > box.bottom + 1);
      if (cut) problems.push(`cut off by ${frame.outerHTML.slice(0, 80)}`);
    }
    if (part.scrollHeight > part.clientHeight + 1 && getComputedStyle(part).overflowY === "auto")
      problems.push("scrolls");
    return problems.map((problem) => `${part.outerHTML.slice(0, 80)}: ${problem}`);
  });
}
