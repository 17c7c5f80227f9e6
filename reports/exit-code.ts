/** What a command says to the shell about the outcome of a run. */
import type { Outcome } from "./certificate.ts";

const EXIT_CODES: Readonly<Record<Outcome, number>> = { certified: 0, violations: 1, incomplete: 3 };

/** For bad arguments or configuration, which come before any outcome. */
export const BAD_ARGUMENTS = 2;

export const exitCodeOf = (outcome: Outcome): number => EXIT_CODES[outcome];
