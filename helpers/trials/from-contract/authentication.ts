/** Generates trials that call each operation without credentials, or with wrong ones. */
import { requirementOf } from "../../contract/lookups.ts";
import { type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import { because } from "../../reasons/reason.ts";
import type { Call } from "../call.ts";
import { lackOfKey } from "../credentials.ts";
import type { Trial, TrialContext } from "../trial.ts";
import { isOneOfMany, operationTrial, type Subject } from "./operation-trial.ts";
import type { CredentialVariant, Policy } from "./policy.ts";
import { recordRefusal } from "./rule-verdicts.ts";
import { controlBeside, shareControl, sharedControl } from "./shared-controls.ts";
import { CREDENTIAL_SLIPS } from "./similar-credentials.ts";
import { consumes, sampleCalls } from "./valid-calls.ts";
import { wrongCredentials, wrongCredentialsId } from "./wrong-credentials.ts";

interface Variant extends Omit<CredentialVariant, "headers" | "requirements" | "single"> {
  readonly headers?: Call["headers"];
  readonly credentials?: Call["credentials"];
  /** Full requirement ids. */
  readonly requirements: readonly string[];
}

export const authenticationTrials = (subject: Subject): Trial[] => {
  const { contract, operation } = subject;
  const own = `${contract.service}.${operation.operationId}.unauthenticated`;
  if (requirementOf(contract, own) === undefined) return [];
  const variants = variantsOf(subject, own);
  const row = {
    name: "authentication",
    title: "calls without proper credentials are refused",
    requirements: [...variants.flatMap(({ requirements }) => requirements), wrongCredentialsId(subject)],
  };
  return operationTrial(subject, row, (context) => tryVariants(context, subject, variants));
};

const variantsOf = ({ contract, policy, operation }: Subject, own: string): Variant[] => {
  const id = (suffix: string) => `${contract.service}.${suffix}`;
  const schemes = contract.securitySchemes.filter(({ name }) => operation.security.includes(name));
  const headerOf = new Map(contract.securitySchemes.map(({ name, header }) => [name, header.toLowerCase()]));
  const { credentialsNeeded, unauthorized } = policy.shared ?? {};
  const without: Variant = {
    what: "a call without credentials",
    credentials: Object.fromEntries(schemes.map(({ name }) => [name, null])),
    statuses: operation.unauthenticated ?? UNAUTHORIZED,
    requirements: [own, ...(credentialsNeeded === undefined ? [] : [id(credentialsNeeded)])],
  };
  const judged = (policy.credentials ?? []).filter(
    ({ single }) => !single || operation.singleHeader !== "unjudged",
  );
  const others = judged.map(
    ({ single: _, ...variant }): Variant => ({
      ...variant,
      // The provider's document may use other header names.
      headers: Object.fromEntries(
        Object.entries(variant.headers).map(([name, value]) => [headerOf.get(name) ?? name, value]),
      ),
      requirements: variant.requirements.map(id),
    }),
  );
  return [without, ...others]
    .map((variant) => ({ ...variant, statuses: statusesOf(operation, variant) }))
    .map((variant) => ({
      ...variant,
      // Variants that only allow a 401 also show the requirement about unauthorized calls.
      requirements: [
        ...variant.requirements,
        ...(unauthorized !== undefined && variant.statuses.every((status) => status === 401)
          ? [id(unauthorized)]
          : []),
      ],
    }));
};

/** RFC 9110, 15.5.2. */
const UNAUTHORIZED = [401];

/** Returns 401 and the other refusals that the operation lists, when it lists no 401. */
const statusesOf = (
  { responses }: Subject["operation"],
  { statuses }: Pick<Variant, "statuses">,
): readonly number[] => {
  const listed = Object.keys(responses).map(Number);
  if (listed.includes(401)) return statuses;
  return [...new Set([...statuses, ...listed.filter((status) => status >= 400 && status < 500)])];
};

const tryVariants = async (
  context: TrialContext,
  subject: Subject,
  variants: readonly Variant[],
): Promise<void> => {
  const { policy, operation } = subject;
  const known = sharedControl(context, operation);
  let [call] = known ? [known.call] : await sampleCalls(context, policy, operation, 1);
  if (call === undefined) return;
  const turn = subject.contract.operations.indexOf(operation);
  const isBrief = context.savesRequests && !isOneOfMany(subject);
  const probes: { readonly variant: Variant; readonly exchange: Exchange }[] = [];
  const send = async (variant: Variant, tries?: string): Promise<void> => {
    if (call === undefined) return;
    const exchange = await context.send({
      ...call,
      role: "probe",
      ...(tries !== undefined && { tries }),
      judged: "refusals",
      headers: { ...call.headers, ...variant.headers },
      ...(variant.credentials && { credentials: variant.credentials }),
    });
    probes.push({ variant, exchange });
    // The server accepted the probe by mistake, which has used up the resource of the probe.
    if (isAccepted(exchange) && consumes(operation))
      call = (await sampleCalls(context, policy, operation, probes.length + 1)).at(-1) ?? call;
  };
  for (const variant of isBrief ? inTurn(variants.filter(leavesOut), turn) : variants) {
    await send(variant, variant.what);
  }
  const sent = probes.map(({ exchange }) => exchange);
  const wrongKeys = wrongCredentials(context, subject);
  const hasBudget = context.target.permissions.budget !== undefined;
  // Without a budget, each operation gets one call with a wrong key.
  const few = hasBudget ? [] : wrongKeys.slice(0, 1);
  const others = isBrief ? few : [...similarTo(context, subject, sent), ...wrongKeys];
  for (const variant of others) await send(variant);
  const holds = probes.every(({ variant, exchange }) => variant.statuses.includes(statusOf(exchange)));
  const control = await controlBeside(context, call, { known, holds });
  shareControl(context, operation, { call, exchange: control });
  const { judge } = context;
  for (const { variant, exchange } of probes) {
    const what = { what: variant.what, pointer: "" };
    await recordRefusal(context, variant.requirements, what, [exchange, control], variant.statuses);
  }
  const wrong = requirementOf(subject.contract, wrongCredentialsId(subject)) && wrongCredentialsId(subject);
  if (isBrief && hasBudget && wrong !== undefined) judge.notTried(wrong, because("left-out-by-budget"));
  if (isBrief && isAccepted(control)) return;
  const reason =
    lackOfKey(subject.contract, operation, context.target) ??
    because("control-refused", "the call with proper credentials", statusOf(control));
  for (const requirement of [
    ...variants.flatMap(({ requirements }) => requirements),
    ...(wrong ? [wrong] : []),
  ])
    if (!judge.hasVerdict(requirement)) judge.notTried(requirement, reason);
};

/** Returns the call without any credentials, and one of the others. */
const inTurn = ([without, ...others]: readonly Variant[], turn: number): readonly Variant[] =>
  [without, others[turn % others.length]].filter((variant) => variant !== undefined);

/** Whether a variant only leaves credentials out, which each operation may forget to check. */
const leavesOut = ({ headers, credentials }: Variant): boolean =>
  Object.values({ ...headers, ...credentials }).every((value) => value === null);

/**
 * Returns calls with credentials that are similar to those that were sent. Each operation tries one slip of each
 * credential; the operations together try all of them.
 */
const similarTo = (
  { learn }: TrialContext,
  { contract, policy, operation }: Subject,
  sent: readonly Exchange[],
): Variant[] => {
  const turn = contract.operations.indexOf(operation);
  return (policy.similarCredentials ?? []).flatMap(({ scheme, statuses, requirements }, index) => {
    const stated = contract.securitySchemes.find(({ name }) => name === scheme);
    if (stated === undefined || !operation.security.includes(scheme)) return [];
    const header = stated.header.toLowerCase();
    const value = sent.map(({ request }) => request.headers[header]).find((one) => isRight(one, policy));
    const slip = CREDENTIAL_SLIPS[
      (turn + index) % CREDENTIAL_SLIPS.length
    ] as (typeof CREDENTIAL_SLIPS)[number];
    const similar = value === undefined ? undefined : slip.change(value);
    if (similar === undefined) return [];
    learn(similar, `similar-${scheme}`);
    return [
      {
        what: `a call with the value of ${header} ${slip.what}`,
        headers: { [header]: similar },
        statuses: statusesOf(operation, { statuses }),
        requirements: requirements.map((id) => `${contract.service}.${id}`),
      },
    ];
  });
};

/** Whether the value is not one of those that the variants made up. */
const isRight = (value: string | undefined, { credentials = [] }: Policy): boolean =>
  value !== undefined && !credentials.some(({ headers }) => Object.values(headers).includes(value));
