/** Builds the requests for a rule: valid calls with the tested value inserted. */
import fc from "fast-check";
import type { Operation, Rule } from "../../contract/contract.ts";
import type { ProbePair } from "../../generate/probes.ts";
import type { Call } from "../call.ts";
import type { TrialContext } from "../trial.ts";
import { validCalls } from "../valid-call.ts";
import type { Requests } from "./policy.ts";

/** @throws NotTried or TargetLost when the resources of the calls can't be arranged */
export const contractRequests = async (context: TrialContext, operation: Operation): Promise<Requests> => {
  const { calls, body = {}, generation } = await validCalls(context, operation);
  return {
    // The rule of a parameter applies to its value only.
    schemaOf: (rule) => (rule.parameter === undefined ? body : rule.schema),
    generation,
    samples: (rule, pairs) =>
      fc.tuple(calls, pairs).map(([call, pair]) => ({
        control: controlOf(call, operation, rule, pair, generation),
        probe: withValue(call, rule, pair.edited),
      })),
  };
};

/**
 * Returns the valid call next to a probe. It has the default of a parameter, because a server may refuse another valid
 * value, such as an offset behind the last item. It omits the parameter if the probe has the default.
 */
const controlOf = (
  call: Call,
  operation: Operation,
  rule: Rule,
  { base, edited }: ProbePair,
  { validator }: Requests["generation"],
): Call => {
  // Only an identifier that exists is accepted.
  if (namesResource(operation, rule)) return call;
  const value = rule.schema.default;
  const isPlain = ["string", "number", "boolean"].includes(typeof value);
  if (rule.parameter === undefined || rule.pointer !== "" || !isPlain) return withValue(call, rule, base);
  if (validator.validate(rule.schema, value).length > 0) return withValue(call, rule, base);
  return withValue(call, rule, value === edited ? undefined : value);
};

/** Whether the rule is about an identifier in the path: of its valid values, the server accepts only known ones. */
export const namesResource = ({ parameters }: Operation, { place, parameter }: Rule): boolean =>
  place === "path" && parameters.find(({ name }) => name === parameter)?.resource !== undefined;

const PLACES = { query: "query", header: "headers", path: "path" } as const;

const withValue = (call: Call, rule: Rule, value: unknown): Call => {
  if (rule.parameter === undefined || rule.place === undefined) return { ...call, json: value };
  const place = PLACES[rule.place];
  const { [rule.parameter]: _, ...others } = { ...call[place] } as Record<string, string>;
  const text = Array.isArray(value) ? value.join(",") : String(value);
  return { ...call, [place]: value === undefined ? others : { ...others, [rule.parameter]: text } };
};

const SEVERAL_OR_NONE = /^$|,/;

/** Whether a list item, sent as the whole parameter, looks like several items or none. */
export const looksLikeList = ({ query, headers }: Call, { parameter = "" }: Rule): boolean =>
  SEVERAL_OR_NONE.test(String(query?.[parameter] ?? headers?.[parameter] ?? ""));
