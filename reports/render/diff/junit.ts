/** Renders a diff as JUnit XML, with one test case for each entry. */
import type { Diff, Entry } from "../../../helpers/diff/entry.ts";
import { acceptedBy } from "../../text.ts";
import { renderJunit } from "../junit.ts";
import { reachOf, refusalsOf, whatOf, whereOf, whole, witnessLines } from "./words.ts";

/**
 * Returns XML that ends with a line feed. Accepted entries are reported as skipped.
 * @param isFailure whether an entry makes the command fail
 */
export const renderDiffJunit = (diff: Diff, isFailure: (entry: Entry) => boolean): string => {
  const cases = diff.entries.map((entry) => ({
    name: `${whereOf(entry)}: ${whatOf(entry)}`,
    classname: `diff.${entry.class}`,
    file: diff.new.file,
    seconds: 0,
    properties: [["fingerprint", entry.fingerprint] as const],
    result: resultOf(entry, diff, isFailure(entry)),
  }));
  const name = `${diff.old.version} → ${diff.new.version}`;
  return renderJunit("assay diff", [{ name, timestamp: new Date().toISOString(), cases }]);
};

const resultOf = (entry: Entry, diff: Diff, isFailure: boolean) => {
  if (entry.accepted !== undefined)
    return { kind: "skipped", message: `accepted ${acceptedBy(entry.accepted)}` } as const;
  if (isFailure)
    return { kind: "failure", message: whatOf(entry), text: explained(entry, diff).join("\n") } as const;
  const [reason] = entry.judged.flatMap(({ reason: one }) => one ?? []);
  return entry.class === "undecided" && reason !== undefined
    ? ({ kind: "skipped", message: `undecided: ${reason}` } as const)
    : ({ kind: "passed" } as const);
};

/** Returns the messages that an entry reaches, the reason why it is undecided, and its witness. */
export const explained = (entry: Entry, diff: Diff): string[] =>
  entry.judged.flatMap((judged) => [
    `reaches ${reachOf(judged)}`,
    ...(judged.reason === undefined ? [] : [`undecided: ${judged.reason}`]),
    ...refusalsOf(judged, diff),
    ...witnessLines(judged, whole),
  ]);
