// Horizontal bars of ratios on a log axis, as a small SVG.
const LEFT = 330;
const WIDTH = 560;
const LINE = 15;
const TOP = 44;
const COLOURS = [
  [/^scikit-learn/, "#f28e2b"],
  [/^numpy/, "#4e79a7"],
  [/^faiss/, "#59a14f"],
  [/./, "#b07aa1"],
];

/** @param {{ row: string, peer: string, median: number, least: number, most: number }[]} ratios */
export function drawPlot(ratios) {
  const low = Math.floor(Math.log10(Math.min(0.5, ...ratios.map(({ least }) => least))));
  const high = Math.ceil(Math.log10(Math.max(10, ...ratios.map(({ most }) => most))));
  const x = (value) => round(LEFT + (WIDTH * (Math.log10(value) - low)) / (high - low));
  const bottom = TOP + ratios.length * LINE;
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  const bars = ratios.map((entry, i) => drawBar(entry, ratios[i - 1], TOP + i * LINE, x));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 70} ${bottom + 16}" role="img" \
aria-label="How many times faster bonmf is than each peer, on a logarithmic axis">
<style>text { font: 11px system-ui, sans-serif; fill: #444 } .row { font-weight: 600 }</style>
<rect width="100%" height="100%" fill="#fafafa"/>
<text x="12" y="18" class="row">How many times faster bonmf is: median, and the range over the rounds</text>
${ticks.map((tick) => drawTick(x(tick), tick, bottom)).join("\n")}
${bars.join("\n")}
</svg>
`;
}

function drawTick(at, tick, bottom) {
  const colour = tick === 1 ? "#444" : "#ddd";
  return (
    `<text x="${at}" y="${TOP - 8}" text-anchor="middle">${tick} ×</text>` +
    `<line x1="${at}" y1="${TOP - 4}" x2="${at}" y2="${bottom}" stroke="${colour}"/>`
  );
}

function drawBar({ row, peer, median, least, most }, before, y, x) {
  const [, colour] = COLOURS.find(([pattern]) => pattern.test(peer));
  const from = Math.min(x(1), x(median));
  const width = round(Math.abs(x(median) - x(1)));
  const middle = y + LINE / 2;
  const title = before?.row === row ? "" : `<text x="12" y="${y + 11}" class="row">${row}</text>`;
  return (
    `${title}<text x="${LEFT - 8}" y="${y + 11}" text-anchor="end">${peer}</text>` +
    `<rect x="${from}" y="${y + 3}" width="${width}" height="${LINE - 5}" fill="${colour}"/>` +
    `<line x1="${x(least)}" y1="${middle}" x2="${x(most)}" y2="${middle}" stroke="#222"/>` +
    `<text x="${Math.max(x(most), x(1)) + 5}" y="${y + 11}">${Number(median.toPrecision(2))}</text>`
  );
}

function round(value) {
  return Math.round(value * 10) / 10;
}
