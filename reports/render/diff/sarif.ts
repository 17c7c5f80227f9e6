/** Renders a diff as SARIF 2.1.0, which code hosts show beside the lines of the new document. */
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { RULES } from "../../../helpers/diff/compare/rules.ts";
import type { Diff, Entry, EntryClass } from "../../../helpers/diff/entry.ts";
import type { LineOf } from "../../../helpers/diff/line-of.ts";
import { jsonText } from "../../../helpers/exchange/visible.ts";
import { acceptedBy } from "../../text.ts";
import { explained } from "./junit.ts";
import { whatOf, whereOf } from "./words.ts";

const LEVELS: Readonly<Record<EntryClass, string>> = {
  breaking: "error",
  undecided: "warning",
  compatible: "note",
};

/** Returns JSON that ends with a line feed. */
export const renderDiffSarif = (diff: Diff, lineOf: LineOf): string => {
  const rules = Object.entries(RULES).map(([id, { words }]) => ({ id, shortDescription: { text: words } }));
  const results = diff.entries.map((entry) => ({
    ruleId: entry.rule,
    ruleIndex: rules.findIndex(({ id }) => id === entry.rule),
    level: LEVELS[entry.class],
    message: { text: [`${whereOf(entry)}: ${whatOf(entry)}`, ...explained(entry, diff)].join("\n") },
    locations: [locationOf(entry, diff, lineOf)],
    partialFingerprints: { "change/v1": entry.fingerprint },
    ...(entry.accepted !== undefined && {
      suppressions: [{ kind: "external", justification: `accepted ${acceptedBy(entry.accepted)}` }],
    }),
  }));
  const tool = { driver: { name: "assay diff", rules } };
  const sarif = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool, columnKind: "utf16CodeUnits", results }],
  };
  return `${jsonText(sarif, 2)}\n`;
};

const locationOf = (entry: Entry, diff: Diff, lineOf: LineOf) => {
  const { line, column } = lineOf(entry);
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(diff.new.file) },
      region: { startLine: line, startColumn: column },
    },
    logicalLocations: [{ fullyQualifiedName: whereOf(entry) }],
  };
};

const uriOf = (file: string): string =>
  isAbsolute(file) ? pathToFileURL(file).href : encodeURI(plainPath(file));

/** Returns the path without the revision of a document in git. */
export const plainPath = (file: string): string => file.replace(/^git:[^:]*:/, "");
