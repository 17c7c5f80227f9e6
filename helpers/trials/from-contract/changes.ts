/** Generates trials of what changed since an earlier version of the document: requests that only that version allows. */
import fc from "fast-check";
import { baseOf, errorsIn, versionOf } from "../../contract/changes.ts";
import type { Contract, Operation, Rule } from "../../contract/contract.ts";
import type { ContractChange } from "../../contract/contract-change.ts";
import { requirementOf } from "../../contract/lookups.ts";
import { segmentsOf } from "../../contract/pointer.ts";
import type { SecurityScheme } from "../../contract/security-scheme.ts";
import type { ProbeKind } from "../../generate/probes.ts";
import { validValues } from "../../generate/valid.ts";
import type { Call } from "../call.ts";
import { schemesFor } from "../credentials.ts";
import { NotTried } from "../stopped.ts";
import type { Trial, TrialContext } from "../trial.ts";
import { withCookie } from "../written-parameter.ts";
import { tryAddress } from "./changed-addresses.ts";
import { changedBodies } from "./changed-bodies.ts";
import { operationTrial, type Subject } from "./operation-trial.ts";
import type { Sample } from "./policy.ts";
import { recordHeld, trySample } from "./rule-probes.ts";
import { namesResource, requestsFor } from "./rule-requests.ts";
import { whyUnproved } from "./rules.ts";

/** Returns the trials of the changes that no other trial shows. They also say why a change is not tried. */
export const changeTrials = (
  { contract, policy }: Omit<Subject, "operation">,
  others: readonly Trial[],
  isGenerated: (operation: Operation) => boolean,
): Trial[] => {
  const shown = new Set(others.flatMap(({ requirements }) => requirements));
  return (contract.changes?.entries ?? [])
    .filter(({ direction, requirement }) => direction === "request" || !shown.has(requirement))
    .flatMap((change) => {
      const { requirement, statement, direction, called, untried } = change;
      const of = called === undefined ? contract : baseOf(contract);
      const id = called ?? change.operations[0] ?? "";
      const own = of.operations.find(({ operationId }) => operationId === id);
      // A change of an operation that the contract lacks needs one that holds its trial.
      const operation = own ?? contract.operations[0];
      if (operation === undefined) return [];
      const isTried = own !== undefined && direction === "request" && isGenerated(own);
      const why = untried ?? (isTried ? undefined : `no generated trial calls ${id}`);
      const name = requirement.split(".").slice(-2).join("/");
      const row = { name, title: statement, requirements: [requirement] };
      return operationTrial({ contract, policy, operation }, row, async (context) => {
        if (why !== undefined) throw new NotTried("limit-of-suite", why);
        const attempt = called === undefined ? tryChange : tryAddress;
        return attempt(context, { contract: of, policy, operation }, change);
      });
    });
};

const tryChange = async (context: TrialContext, subject: Subject, change: ContractChange): Promise<void> => {
  const why = reasonNotToTry(subject, change);
  if (why !== undefined) throw new NotTried("limit-of-suite", why);
  const rule = ruleOf(subject, change);
  const kind: ProbeKind = {
    ...{
      kind: `what ${versionOf(baseOf(context.contract))} allows`,
      class: "boundary",
      rank: 0,
      with: [],
      known: false,
    },
    edit: fc.constant({ pointer: change.pointer, value: undefined }),
  };
  const choice = { rule, kind, isItem: false };
  const sample = await sampleOf(context, subject, change, rule);
  const shown = await trySample(context, subject, choice, sample);
  if (shown === undefined) throw new NotTried(whyUnproved(subject, [rule]));
  if (shown.result.holds) return recordHeld(context, subject, choice, shown);
  context.judge.record(change.requirement, shown.result, shown.exchanges);
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
  if (change.texts !== undefined || place === "credentials") return undefined;
  if (namesResource(operation, rule) || place.startsWith("path "))
    return "of the values in a path, a server accepts only those that it knows";
  return REASONS[place] ?? `no request of the suite differs in ${place}`;
};

const REASONS: Readonly<Record<string, string>> = {
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
  if (change.place !== "body") {
    const pair = { base, edit: { pointer: rule.pointer, value: base }, edited: base };
    const [{ control }] = fc.sample(requests.samples(rule, fc.constant(pair)), drawn) as [Sample];
    if (change.place === "credentials")
      return { control, probe: { ...control, credentials: credentialsOf(context, subject, change) } };
    return { control: controlOf(control, change, rule), probe: withTexts(control, change, rule) };
  }
  const { contract, operation } = subject;
  const errorsBy = (one: Contract) => (body: unknown) =>
    errorsIn(one, operation, ({ requestBody }) => requestBody?.content["application/json"], body) ?? [];
  const bodies = changedBodies(base, {
    ...{ witness: change.body, pointer: change.pointer, keyword: change.keyword, seed: context.seed },
    ...{ schema: requests.schemaOf(rule), generation: requests.generation },
    ...{ before: errorsBy(baseOf(contract)), now: errorsBy(contract) },
  });
  const pair = { ...bodies, edit: { pointer: rule.pointer, value: bodies.edited } };
  return fc.sample(requests.samples(rule, fc.constant(pair)), drawn)[0] as Sample;
};

/** Leaves out the keys that only the tested version asks for. Only keys that both versions use are known. */
const credentialsOf = (
  { target }: TrialContext,
  { contract, operation }: Subject,
  { credentials = [] }: ContractChange,
): NonNullable<Call["credentials"]> => {
  const usual = schemesFor(contract, operation, target);
  const left = usual.filter((scheme) => !credentials.includes(placeOf(scheme)));
  if (left.length === 0 || left.length + credentials.length > usual.length)
    throw new NotTried("limit-of-suite", "the target's settings name the credentials of one version only");
  return Object.fromEntries(left.map(({ name }) => [name, null]));
};

const placeOf = ({ header, place }: SecurityScheme): string =>
  place === undefined ? `header ${header.toLowerCase()}` : `${place.in} ${place.name}`;

/**
 * Returns the valid call beside the one with the texts. Of several texts, it has all but the one that shows the change:
 * a server may refuse each of the others for another cause.
 */
const controlOf = (valid: Call, change: ContractChange, rule: Rule): Call => {
  const { texts = [], pointer } = change;
  if (texts.length < 2 || change.place === "media type") return valid;
  const [part] = segmentsOf(pointer);
  const named = texts.findIndex(([name], at) => name === `${rule.parameter}[${part}]` || `${at}` === part);
  const others = texts.toSpliced(named, 1);
  return withTexts(valid, { ...change, texts: others }, rule);
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
