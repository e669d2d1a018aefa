import type { Survey } from "../engine/survey.js";
import type { Fit, Form, RuleName, Step } from "../kernel/step.js";
import type { Sums } from "../kernel/sums.js";
import type { InitName, MethodName, Settings } from "./settings.js";

/** The state of a run between two sweeps: W, and the totals of the sweep that used it. */
export interface State {
  readonly W: Float64Array;
  readonly sums: Sums;
}

/** One algorithm of the family: a rule for H, an update for W, a potential, and where it comes from. */
export interface Method {
  readonly name: MethodName;
  readonly reference: string;
  readonly form: Form;
  /** What ranks samples for seeding and repair. */
  readonly fit: Fit;
  /** Works on samples scaled to length 1. */
  readonly unit?: true;
  /** Zeros in W or H stay zero for ever, so initial factors must not have any. */
  readonly multiplicative?: true;
  /** Its H step leaves no code above twice ‖x‖/‖w‖, so that sums of codes can be exact. */
  readonly bounded?: boolean;
  /** A component that no sample uses may be replaced: the method is no other's to the letter. */
  readonly revives?: true;
  /** The H step of the fit. */
  readonly rule: RuleName;
  /** The H step for samples that come later: a function of x and W alone. */
  readonly encode: RuleName;
  /** Whether the potential rises (+1) or falls (−1) on the way to a solution. */
  readonly sense: 1 | -1;
  readonly defaults: { readonly init: InitName; readonly maxIterations: number; readonly tolerance: number };
  /** What the H step needs besides W (k × m), given the totals of the H at hand. */
  stepOf(W: Float64Array, sums: Sums | null, settings: Settings, survey: Survey): Partial<Step>;
  /** What a sweep that leaves H alone needs instead of `hold`, where the W step takes other totals. */
  readonly hold?: Pick<Step, "rule" | "sweeps">;
  /** The next W (k × m) from this one and the totals; a new array. @param in32Bits samples are multiplied in 32 bits, so W may be found so, too */
  updateW(W: Float64Array, sums: Sums, settings: Settings, survey: Survey, in32Bits: boolean): Float64Array;
  potential(state: State, survey: Survey, settings: Settings): number;
  /** ‖X − WH‖², where the totals are not those of X. */
  squaredError?(state: State, survey: Survey, settings: Settings): number;
}
