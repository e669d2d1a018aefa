/** `bonmf/io`: what bonmf-data and the command make further readers from. It may change with any version. */
export { type EqualTexts, groupEqualTexts } from "../text/equal-texts.js";
export { areUnspaced, countCharacters, type TextList, type TextPart, Texts, takeTexts } from "../text/texts.js";
export { type ArffWord, readArffWord } from "./arff-word.js";
export { type ByteSource, checkArrow, DENSEST } from "./arrow-check.js";
export { Cells, type CellsOptions } from "./cells.js";
export { allowBytes, requireMemory } from "./memory-budget.js";
export { type NpyHeader, parseNpyHeader } from "./npy-header.js";
export { formatNumber, isHalfway, parseDecimal, parseNumber } from "./number.js";
