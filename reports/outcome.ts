/** What a run came to. */
export type Outcome = "certified" | "violations" | "incomplete";

/** How many requirements came to each verdict. */
interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly advisory: number;
  readonly blocked: number;
}

export const outcomeOf = (summary: Counts, problems: readonly string[]): Outcome => {
  if (summary.failed > 0) return "violations";
  if (summary.blocked > 0 || problems.length > 0) return "incomplete";
  return summary.passed + summary.advisory > 0 ? "certified" : "incomplete";
};
