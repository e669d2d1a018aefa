export { chooseMembers, type Members } from "./archive.js";
export { type ArffAttribute, ArffReader, type ArffValue, readArffTable } from "./arff.js";
export { finishLoaded, isUnlabelled, loadArff, loadLibsvm, loadLibsvmPart, loadMarket, loadNpy } from "./arrays.js";
export {
  type Column,
  type ColumnTable,
  countMissing,
  formatShort,
  isMissing,
  MISSING,
  NONE,
  type NumberColumn,
  type TextColumn,
  textAt,
  toColumn,
  toTable,
} from "./column.js";
export { hasCountedNames, hasIndexName, readCsv } from "./csv.js";
export type { Data, Label, Like, Size, TableOptions, WordRules } from "./data.js";
export { parseDates } from "./dates.js";
export type { Reason } from "./decide.js";
export { decodeText, OLD_TEXT } from "./decode-text.js";
export { chooseInit, chooseStarts, resolveScale, scaleHints } from "./defaults.js";
export {
  detectKind,
  type Head,
  isArchive,
  isPage,
  isPicture,
  isProse,
  kindByLines,
  kindByName,
} from "./detect-kind.js";
export { type Dialect, detectDialect, guessDelimiter } from "./dialect.js";
export { countDocuments, type Documents, joinDocuments } from "./documents.js";
export { detectEncoding, detectWide, type Encoding, isWritten, noteEncoding, recodeText } from "./encoding.js";
export { UserError } from "./errors.js";
export type { Fills } from "./fills.js";
export { isHtml, readHtml } from "./html-text.js";
export { readJson } from "./json.js";
export { KINDS, type Kind } from "./kinds.js";
export { listNames, makeLabelReader, toLabels } from "./labels.js";
export { findLists, nameElement, nameElements, refuseRagged, toColumns } from "./list-columns.js";
export { joinLoaded, type Loaded, matchWidth, widenFeatures } from "./loaded.js";
export { arrangeWords, matchFeatures } from "./match.js";
export { countHoles, fillMissing, MISSING_REMEDY, omitUnlabelled } from "./missing.js";
export { watchNames } from "./names.js";
export { askNearest, findNearest } from "./nearest.js";
export { noteConstant, noteRows, type RowCounts } from "./notes.js";
export { type FlatNpy, flattenNpy, readNpyShape } from "./npy.js";
export { loadNpz } from "./npz.js";
export { guessSize, namePixels, noteBroken, shrinkSize } from "./pictures.js";
export { makePlan } from "./plan.js";
export {
  isProject,
  isReferred,
  type ProjectData,
  type ProjectFile,
  type ProjectRun,
  type ProjectSource,
  readProject,
  writeProject,
} from "./project-file.js";
export {
  describePlan,
  groupFeatures,
  type PlanRecord,
  type Recipe,
  readRecipe,
  type TextOptions,
  writeRecipe,
} from "./recipe.js";
export { checkLabel, nameAsTexts } from "./roles.js";
export { noteRounded, RoundedValues } from "./rounding.js";
export { findTable, type SheetCell, type SheetTable } from "./sheet.js";
export { CODE, COMMA_NUMBER, DATE, PLAIN_NUMBER, POINT_NUMBER } from "./spelling.js";
export { defuseFormulas } from "./spreadsheet.js";
export { openStem, STEMMED_LANGUAGES } from "./stem.js";
export {
  type NamedTable,
  spellColumn,
  spellColumns,
  summarizeSums,
  summarizeTable,
  type TextSums,
} from "./summarize.js";
export {
  blankSummary,
  type ColumnSummary,
  type ColumnType,
  type Declared,
  EXAMPLES,
  findDoubtful,
  isCounted,
  MOST_VALUES,
  type NumberSpelling,
  summarizeLabels,
  type TableSummary,
  type ValueCount,
} from "./summary.js";
export { planTable, readTable } from "./table.js";
export { NotNumeric, type PlanColumn, type TablePlan } from "./table-plan.js";
export { completeRecipe, RowSample } from "./typical.js";
export { checkWorkbook, openWorkbook, type Sheet, type WorkbookTable } from "./workbook.js";
export { listEntries, type ZipCodec, type ZipEntry } from "./zip.js";
