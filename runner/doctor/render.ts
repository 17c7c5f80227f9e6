/** Renders a diagnosis: one table, and one line for each cause. */
import { counted, inBlocks } from "../../reports/text.ts";
import type { Cause, Diagnosis } from "./diagnosis.ts";

/** Returns text that ends with a line feed. */
export const renderDiagnosis = (
  name: string,
  { checked, causes, requests, durationMs }: Diagnosis,
): string => {
  const widthOf = (key: "of" | "check"): number => Math.max(0, ...checked.map((one) => one[key].length));
  const rows = checked.map(({ of, check, state, result }, at) => {
    const title = checked[at - 1]?.of === of ? "" : of;
    return `  ${title.padEnd(widthOf("of"))}  ${check.padEnd(widthOf("check"))}  ${MARKS[state]} ${result}`;
  });
  const seconds = (durationMs / 1000).toFixed(1);
  return inBlocks([
    [`Examined ${name} with ${counted(requests, "request")} in ${seconds} s`, ...rows],
    linesOf(causes),
  ]);
};

const MARKS = { ok: "✓", note: "·", wrong: "✗" } as const;

/** Returns one line for each cause. Services on one server often share a cause. */
export const linesOf = (causes: readonly Cause[]): string[] => {
  const texts = [...new Set(causes.map(({ text }) => text))];
  return texts.map((text) => {
    const services = causes.filter((cause) => cause.text === text).map(({ of }) => of);
    return `✗ ${services.join(", ")}: ${text}`;
  });
};

/** Returns one line for a target that is as expected, and the table if there is something to tell of its calls. */
export const renderHealthy = (name: string, diagnosis: Diagnosis): string => {
  const { checked, requests } = diagnosis;
  if (checked.some(({ check, state }) => state === "note" && CALLS.includes(check)))
    return renderDiagnosis(name, diagnosis);
  const services = new Set(checked.flatMap(({ of, check }) => (check === "connection" ? [of] : [])));
  return `${name}: ${[...services].join(", ")} answered as configured (${counted(requests, "request")}).\n`;
};

const CALLS: readonly string[] = ["log-in", "credentials", "call"];
