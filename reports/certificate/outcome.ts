/** The outcome of a run. */
export type Outcome = "certified" | "violations" | "incomplete";

/** @param counts the number of requirements with each verdict */
export const outcomeOf = (
  counts: Readonly<Record<"passed" | "failed" | "advisory" | "blocked", number>>,
  problems: readonly string[],
): Outcome => {
  if (counts.failed > 0) return "violations";
  if (counts.blocked > 0 || problems.length > 0) return "incomplete";
  return counts.passed + counts.advisory > 0 ? "certified" : "incomplete";
};
