/** Renders a diff as JUnit XML, for build servers. */
import { type JunitCase, renderJunit } from "../../../reports/render/junit.ts";
import type { Diff, Entry } from "../entry.ts";
import { diffReportOf, type ReportedChange } from "./report.ts";

/**
 * Returns XML with one test case for each change. Accepted changes are reported as skipped.
 * @param isFailure whether an entry makes the command fail
 */
export const renderDiffJunit = (diff: Diff, isFailure: (entry: Entry) => boolean): string => {
  const cases = diffReportOf(diff).changes.map((change) => ({
    name: change.head,
    classname: `diff.${change.entry.class}`,
    file: diff.new.file,
    seconds: 0,
    properties: [["fingerprint", change.entry.fingerprint] as const],
    result: changeResult(change, isFailure(change.entry)),
  }));
  const name = `${diff.old.version} → ${diff.new.version}`;
  return renderJunit("assay diff", [{ name, timestamp: new Date().toISOString(), properties: [], cases }]);
};

const changeResult = (change: ReportedChange, isFailure: boolean): JunitCase["result"] => {
  const { entry, what, accepted, explained, effects } = change;
  if (accepted !== undefined) return { kind: "skipped", message: `accepted ${accepted}` };
  if (isFailure) return { kind: "failure", message: what, text: explained.join("\n") };
  const reason = effects.find((one) => one.reason !== undefined)?.reason;
  return entry.class === "undecided" && reason !== undefined
    ? { kind: "skipped", message: `undecided: ${reason}` }
    : { kind: "passed" };
};
