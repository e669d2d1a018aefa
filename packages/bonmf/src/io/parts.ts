/** `bonmf/io`: what bonmf-data and the command make further readers from. It may change with any version. */
export { Cells, type CellsOptions } from "./cells.js";
export { formatNumber, isHalfway, parseDecimal, parseNumber } from "./number.js";
