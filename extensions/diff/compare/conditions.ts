/** Compares conditional keywords, in which a narrower schema may allow more, and keywords that validate nothing. */

import { isSame } from "../../../helpers/contract/json.ts";
import { EXTENSIBLE_ENUM } from "../../../helpers/contract/schemas/dialect.ts";
import { endChange, sunsetOf, undated } from "../document/sunset.ts";
import { actionOf, type RuleName } from "./rules.ts";
import { below, compareInner, type Nodes, note, type Spot, tangled } from "./unit.ts";

const KEYWORDS = ["not", "if", "then", "else", "propertyNames"] as const;
const LEFT_OVERS = ["unevaluatedProperties", "unevaluatedItems"] as const;
const MEANINGS = [
  ["default", "default"],
  ["contentEncoding", "contentEncoding"],
  ["contentMediaType", "contentMediaType"],
  ["extensibleEnum", EXTENSIBLE_ENUM],
] as const;

const FLAGS = [
  ["schema.deprecated", "deprecated"],
  ["readOnly", "readOnly"],
  ["writeOnly", "writeOnly"],
] as const;

/** Returns a comparer; a change inside these keywords may narrow or widen. */
const comparing =
  (keywords: readonly ((typeof KEYWORDS)[number] | (typeof LEFT_OVERS)[number])[]) =>
  (spot: Spot, nodes: Nodes): void => {
    for (const rule of keywords) {
      const inner = below(tangled(spot), { kind: "way", label: rule });
      compareInner(spot, inner, nodes, { rule }, nodes.old[rule], nodes.new[rule]);
    }
  };

export const compareConditions = comparing(KEYWORDS);

/**
 * Compares these keywords at their own place. `compareContents` treats only the other keywords of the schema as
 * tangled.
 */
export const compareLeftOvers = comparing(LEFT_OVERS);

const READ_DIALECT =
  /^https:\/\/(spec\.openapis\.org\/oas\/3\.1\/dialect\/base|json-schema\.org\/draft\/2020-12\/schema)#?$/;

/** Returns the name of a dialect; `undefined` for the one in which schemas are read (OpenAPI 3.1, Schema Object). */
export const otherDialect = (name: unknown): unknown => (READ_DIALECT.test(String(name)) ? undefined : name);

/** Compares keywords that allow and refuse nothing, but change the meaning of a message or announce a change. */
export const compareMeaning = (spot: Spot, nodes: Nodes): void => {
  const compareValues = (rule: RuleName, base: unknown, revision: unknown): void => {
    if (!isSame(base, revision))
      note(spot, nodes, { rule, action: actionOf(base, revision), old: base, new: revision });
  };
  for (const [rule, keyword] of MEANINGS) compareValues(rule, nodes.old[keyword], nodes.new[keyword]);
  compareValues("dialect", otherDialect(nodes.old.$schema), otherDialect(nodes.new.$schema));
  for (const [rule, flag] of FLAGS) {
    const [was, is] = [nodes.old[flag] === true, nodes.new[flag] === true];
    const about = flag === "deprecated" ? undated({ deprecated: is, sunset: sunsetOf(nodes.new) }) : {};
    if (was !== is) note(spot, nodes, { rule, action: is ? "added" : "removed", ...about });
  }
  const [ends, endsNow] = [sunsetOf(nodes.old), sunsetOf(nodes.new)];
  const end = endChange(ends, endsNow);
  if (end !== undefined) note(spot, nodes, { ...end, old: ends, new: endsNow });
};
