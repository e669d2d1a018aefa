import type { ClassReport } from "bonmf";

/** The balanced accuracy of always answering one class, and whether this one is better by more than chance. */
export interface Chance {
  readonly share: number;
  readonly isBeaten: boolean;
}

export function compareWithChance(report: ClassReport): Chance {
  const share = 1 / testedClasses(report).length;
  return { share, isBeaten: leastBalanced(report) > share };
}

/** Half the width of a 95 % interval, in standard errors. */
const WIDE = 1.96;

/** The lower end of the 95 % interval of the balanced accuracy; every recall has an error of its own (Agresti and Coull, 1998). */
function leastBalanced(report: ClassReport): number {
  const tested = testedClasses(report);
  const variance = tested.reduce((sum, { recall, support }) => {
    const share = (recall * support + 2) / (support + 4);
    return sum + (share * (1 - share)) / (support + 4);
  }, 0);
  return report.balanced - (WIDE * Math.sqrt(variance)) / tested.length;
}

function testedClasses({ classes }: ClassReport) {
  return classes.filter(({ support }) => support > 0);
}
