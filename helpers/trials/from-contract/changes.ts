/** Generates trials of what changed since an earlier version of the document: requests that only that version allows. */
import fc from "fast-check";
import { baseOf, isEarlier, versionOf } from "../../contract/changes.ts";
import type { Contract, Operation, Rule } from "../../contract/contract.ts";
import type { ContractChange } from "../../contract/contract-change.ts";
import { isObject } from "../../contract/json.ts";
import { requirementOf } from "../../contract/lookups.ts";
import { oncePer } from "../../contract/once.ts";
import { atPointer, segmentsOf } from "../../contract/pointer.ts";
import { createValidator, type ValidationError, type Validator } from "../../contract/schema-validator.ts";
import { applyEdit, type Edit } from "../../generate/edit.ts";
import { NoValue } from "../../generate/later.ts";
import type { ProbeKind } from "../../generate/probes.ts";
import { validValues } from "../../generate/valid.ts";
import type { Call } from "../call.ts";
import { NotTried } from "../stopped.ts";
import type { Trial, TrialContext } from "../trial.ts";
import { resourcesNamedBy } from "../valid-call.ts";
import { withCookie } from "../written-parameter.ts";
import { operationTrial, type Subject } from "./operation-trial.ts";
import type { Sample } from "./policy.ts";
import { namesResource, requestsFor } from "./rule-requests.ts";
import { judgedAgain } from "./rule-verdicts.ts";
import { trySample, whyUnproved } from "./rules.ts";

export const changeTrials = (subject: Subject): Trial[] =>
  (subject.contract.changes?.entries ?? [])
    .filter(
      ({ direction, operations }) => direction === "request" && operations[0] === operationIdOf(subject),
    )
    .flatMap((change) =>
      operationTrial(subject, rowOf(change), (context) => tryChange(context, subject, change)),
    );

/** Returns trials that say why no trial of an operation tries a change. */
export const untriedChanges = (
  { contract, policy }: Omit<Subject, "operation">,
  tried: readonly Trial[],
): Trial[] => {
  const byId = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const known = new Set(tried.flatMap(({ requirements }) => requirements));
  return (contract.changes?.entries ?? [])
    .filter(({ requirement }) => !known.has(requirement))
    .flatMap((change) => {
      const [operationId = ""] = change.operations;
      // A change of an operation that the contract lacks needs one that holds its trial.
      const operation = byId.get(operationId) ?? contract.operations[0];
      if (operation === undefined) return [];
      const reason = change.untried ?? `no generated trial calls ${operationId}`;
      return operationTrial({ contract, policy, operation }, rowOf(change), async ({ judge }) =>
        judge.notTried(change.requirement, reason),
      );
    });
};

const operationIdOf = ({ operation }: Subject): string => operation.operationId;

const rowOf = ({ requirement, statement }: ContractChange) => ({
  name: requirement.split(".").slice(-2).join("/"),
  title: statement,
  requirements: [requirement],
});

const tryChange = async (context: TrialContext, subject: Subject, change: ContractChange): Promise<void> => {
  const reason = change.untried ?? reasonNotToTry(subject, change);
  if (reason !== undefined) throw new NotTried(reason);
  const rule = ruleOf(subject, change);
  const kind: ProbeKind = {
    ...{
      kind: `what ${versionOf(baseOf(context.contract))} allows`,
      class: "boundary",
      with: [],
      known: false,
    },
    edit: fc.constant({ pointer: change.pointer, value: undefined }),
  };
  const choice = { rule, kind, isItem: false };
  const sample = await sampleOf(context, subject, change, rule);
  const shown = await trySample(context, subject, choice, sample, false);
  if (shown === undefined) throw new NotTried(whyUnproved(subject, [rule]));
  context.judge.record(change.requirement, shown.result, shown.exchanges);
  if (!shown.result.holds) return;
  await context.judge.askAgain([change.requirement], shown.exchanges, (changed, judge) =>
    judgedAgain({ ...context, judge }, subject, choice, changed),
  );
};

/** Why no request of the suite shows the change. */
const reasonNotToTry = ({ contract, operation }: Subject, change: ContractChange): string | undefined => {
  const { place } = change;
  const rule = ruleOf({ contract, operation }, change);
  if (place === "body")
    return operation.requestBody?.content["application/json"] === undefined
      ? "the suite changes only bodies of JSON"
      : undefined;
  if (place === "media type")
    return /json/i.test(change.mediaType ?? "")
      ? undefined
      : `the suite writes no body of ${change.mediaType}`;
  if (change.texts !== undefined) return undefined;
  if (namesResource(operation, rule) || place.startsWith("path "))
    return "of the values in a path, a server accepts only those that it knows";
  return REASONS[place] ?? `no request of the suite differs in ${place}`;
};

const REASONS: Readonly<Record<string, string>> = {
  operation: "the document has no such operation any more: no accepted call can stand beside its call",
  credentials: "the target's settings name the credentials of one version only",
  server: "the target has one address",
  accept: "a server may answer with another media type than the accepted one",
  status: "no request shows that there is no success",
};

/** Returns a rule for the place of the change, as the makers of requests need it. */
const ruleOf = (
  { operation, contract }: Pick<Subject, "operation" | "contract">,
  { requirement, place, pointer, keyword }: ContractChange,
): Rule => {
  const [, where, parameter] = /^(query|header|path|cookie) (.+)$/.exec(place) ?? [];
  const own = operation.parameters.find(
    (one) => one.in === where && one.name.toLowerCase() === parameter?.toLowerCase(),
  );
  return {
    ...{ requirement, keyword, value: undefined, operationId: operation.operationId },
    direction: "request",
    level: requirementOf(contract, requirement)?.level ?? "gap",
    ...(parameter === undefined
      ? { pointer, schema: operation.requestBody?.content["application/json"] ?? {} }
      : {
          pointer: "",
          place: where as NonNullable<Rule["place"]>,
          parameter: own?.name ?? parameter,
          schema: own?.schema ?? {},
        }),
  };
};

/** Returns the request that shows the change, and its control, which differs only in the place of the change. */
const sampleOf = async (
  context: TrialContext,
  subject: Subject,
  change: ContractChange,
  rule: Rule,
): Promise<Sample> => {
  const requests = await requestsFor(context, subject, rule, 0);
  const drawn = { seed: context.seed, numRuns: 1 };
  const [base] = fc.sample(validValues(requests.schemaOf(rule), requests.generation), drawn);
  const edited = change.place === "body" ? editedBody(subject, change, base) : base;
  const pair = { base, edit: { pointer: rule.pointer, value: edited } as Edit, edited };
  const [sample] = fc.sample(requests.samples(rule, fc.constant(pair)), drawn) as [Sample];
  return change.place === "body" ? sample : { ...sample, probe: withTexts(sample.control, change, rule) };
};

const withTexts = (call: Call, { place, texts = [], mediaType }: ContractChange, rule: Rule): Call => {
  if (place === "media type") {
    const { json, ...others } = call;
    return { ...others, raw: { body: JSON.stringify(json), contentType: mediaType as string } };
  }
  const { parameter = "" } = rule;
  if (rule.place === "cookie") {
    const cookie = withCookie(call.headers?.cookie ?? "", parameter, texts[0]?.[1]);
    return { ...call, headers: { ...call.headers, cookie: cookie === "" ? null : cookie } };
  }
  if (rule.place === "header")
    return { ...call, headers: { ...call.headers, [parameter.toLowerCase()]: texts[0]?.[1] ?? null } };
  const others = Object.entries(call.query ?? {}).filter(
    ([name]) => name !== parameter && !name.startsWith(`${parameter}[`),
  );
  const own = [...new Set(texts.map(([name]) => name))].map((name) => {
    const all = texts.filter(([other]) => other === name).map(([, text]) => text);
    return [name, all.length === 1 ? (all[0] as string) : all] as const;
  });
  return { ...call, query: Object.fromEntries([...others, ...own]) };
};

/**
 * Returns a body that the earlier version allows and the tested one refuses for the change: the valid body with the
 * value of the witness at the place of the change, or else the whole body of the witness.
 * @throws NoValue when there is none
 */
const editedBody = ({ contract, operation }: Subject, change: ContractChange, base: unknown): unknown => {
  const { pointer, keyword, body } = change;
  const isShown = (value: unknown): boolean =>
    (isEarlier(contract) ||
      errorsIn(contract, operation, value).some(
        (one) => one.pointer === pointer && one.keyword === keyword,
      )) &&
    errorsIn(baseOf(contract), operation, value).length === 0;
  const edited = body === undefined ? undefined : transplanted(base, body, pointer);
  if (edited === undefined || isShown(edited)) return edited;
  // A server may refuse the identifiers of the witness, because it does not know them.
  if (resourcesNamedBy(operation, contract).size === 0 && isShown(body)) return body;
  throw new NoValue("no valid body differs only in what the document before allows");
};

/** Returns the body with the value of another body at the deepest place towards the pointer that both have. */
const transplanted = (base: unknown, other: unknown, pointer: string): unknown => {
  const segments = pointer.split("/").slice(1);
  for (let depth = segments.length; depth > 0; depth -= 1) {
    const at = segments
      .slice(0, depth)
      .map((segment) => `/${segment}`)
      .join("");
    const parent = atPointer(base, at.slice(0, at.lastIndexOf("/")));
    const value = atPointer(other, at);
    const last = segmentsOf(at).at(-1) ?? "";
    const isThere = isObject(parent) || (Array.isArray(parent) && Number(last) <= parent.length);
    if (isThere && (value !== undefined || Object.hasOwn(parent as object, last)))
      return applyEdit(base, value === undefined ? { pointer: at, remove: true } : { pointer: at, value });
  }
  return other;
};

const errorsIn = (contract: Contract, { operationId }: Operation, body: unknown): ValidationError[] => {
  const operation = contract.operations.find((one) => one.operationId === operationId);
  const schema = operation?.requestBody?.content["application/json"];
  return schema === undefined ? [] : validatorOf(contract).validate(schema, body);
};

const validatorOf = oncePer((contract: Contract): Validator => createValidator(contract));
