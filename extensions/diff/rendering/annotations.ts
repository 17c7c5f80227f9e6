/** Renders a diff as workflow commands of GitHub Actions, which show the changes beside the code. */
import type { LineOf } from "../../../helpers/contract/documents/line-of.ts";
import { workflowCommand } from "../../../reports/render/annotations.ts";
import { plainPath } from "../../../reports/render/places.ts";
import type { Diff } from "../entry.ts";
import { diffReportOf, type ReportedChange } from "./report.ts";

/** Returns one line for each change. An accepted one is only a notice. */
export const renderDiffAnnotations = (diff: Diff, lineOf: LineOf): string => {
  const lineFor = ({ entry, level, what, head, accepted, explained }: ReportedChange): string => {
    const { line, column } = lineOf(entry);
    const place = { file: plainPath(diff.new.file), line: String(line), col: String(column) };
    const text = [head, ...(accepted ? [`accepted ${accepted}`] : []), ...explained].join("\n");
    const command = accepted || level === "note" ? "notice" : level;
    return workflowCommand(command, { ...place, title: `${entry.class}: ${what}` }, text);
  };
  return diffReportOf(diff)
    .changes.map((change) => `${lineFor(change)}\n`)
    .join("");
};
