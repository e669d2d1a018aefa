/** What further readers are made from: `bonmf/io`, for bonmf-data and the command. */
export { Cells, type CellsOptions } from "./cells.js";
export { formatNumber, isHalfway, parseDecimal, parseNumber } from "./number.js";
