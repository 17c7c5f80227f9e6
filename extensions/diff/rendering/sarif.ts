/** Renders a diff as SARIF 2.1.0, which code hosts show beside the code. */
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { LineOf } from "../../../helpers/contract/documents/line-of.ts";
import { plainPath } from "../../../reports/render/places.ts";
import { physical, sarifText, suppressed } from "../../../reports/render/sarif.ts";
import { RULES } from "../compare/rules.ts";
import type { Diff } from "../entry.ts";
import { diffReportOf, type ReportedChange } from "./report.ts";

/** Returns JSON that ends with a line feed. Each change has its place in the new document. */
export const renderDiffSarif = (diff: Diff, lineOf: LineOf): string => {
  const rules = Object.entries(RULES).map(([id, { words }]) => ({ id, shortDescription: { text: words } }));
  const { file } = diff.new;
  const uri = isAbsolute(file) ? pathToFileURL(file).href : encodeURI(plainPath(file));
  const resultOf = ({ entry, level, head, where, accepted, explained }: ReportedChange) => ({
    ruleId: entry.rule,
    level,
    message: { text: [head, ...explained].join("\n") },
    locations: [{ ...physical({ uri }, lineOf(entry)), logicalLocations: [{ fullyQualifiedName: where }] }],
    partialFingerprints: { "change/v1": entry.fingerprint },
    ...suppressed(accepted && `accepted ${accepted}`),
  });
  return sarifText("assay diff", rules, diffReportOf(diff).changes.map(resultOf));
};
