// The hot loops of sweeps, in AssemblyScript. Samples, packed prototypes and bounds lie in linear memory; an argument in
// capitals or ending in s is a byte address, and so is a struct. A score is one accumulator summed in feature order,
// whatever the shape of the block it is computed in, so these loops agree to the bit with kernel/plain/rows.ts.
//
// Prototypes are packed in panels of three vectors (12 columns of f32, 6 of f64), feature after feature: lanes are columns.
//
// This list is what scripts/kernel-types.js reads: a generic function name<T> is compiled as name32 and name64.

export { clear, listAll, markOthers, markOwn, merge, listMarked, settle, listDoubtful, tighten } from "./bounds";
export { csrToDense32 } from "./csr-to-dense";
export { cycleCodes, cycleRows, cycleRowsEach } from "./cyclic";
export { denseToCsr32 } from "./dense-to-csr";
export { divideCodes } from "./divide";
export { coupleRows32, cycleRowsOfCodes32, linearRows32, multiplyRows32, scaleRows32 } from "./float32-codes";
export { dotPanelsDense32, dotPanelsSparse32, demote, addGram32, addSharesDense32, addSharesSparse32, addTermsSparse32, shareRows64, promote } from "./float32-products";
export { quantize } from "./int16-screen";
export { addListed, correctProducts, cycleKnown, orderByListed, solveKnown } from "./known-codes";
export { findErrors, sumErrors } from "./logistic";
export { searchSparse } from "./neighbors/sparse-search";
export { fillTiles32, fillTiles64, linkEqual32, linkEqual64, measureResiduals32, measureResiduals64, sortMembers32, sortMembers64, sumMembers32, sumMembers64 } from "./neighbors/member-tiles";
export { normalizeQueries32, normalizeQueries64 } from "./neighbors/layout";
export { searchScreen32, searchScreen64 } from "./neighbors/search";
export { solveAll } from "./nnls";
export { useScratch } from "./panel";
export { dotDense, dotSparse, multiplyCodes, ownDense, ownSparse, raise, shareDense, shareSparse } from "./products";
export { putColumn, putRows } from "./prototypes";
export { scoreGroup } from "./score";
export { gatherSums, moveSums } from "./sums";
export { surveyDense32, surveySparse32 } from "./survey";
export { decide, sweep } from "./sweep";
export { draw } from "./threefry";
