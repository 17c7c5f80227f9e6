/** A trial for each request rule of the contract: what keeps to it is accepted, what just breaks it is refused. */
import fc from "fast-check";
import { acceptedPaths, requireAccepted } from "../../fixtures/card-enrollment/acceptance.ts";
import {
  type Card,
  type Enrollment,
  type EnrollmentPath,
  enroll,
  generation,
  isEnrolled,
} from "../../fixtures/card-enrollment/enrollment.ts";
import { observeRefusal } from "../../fixtures/card-enrollment/errors.ts";
import { scenario } from "../../fixtures/card-enrollment/trial.ts";
import type { CheckResult } from "../../helpers/checks/check.ts";
import { checkAccepted, checkRefused } from "../../helpers/checks/refusal.ts";
import type { Contract, Rule } from "../../helpers/contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { applyEdit } from "../../helpers/generate/edit.ts";
import { type ProbeKind, probePairs, probesFor } from "../../helpers/generate/probes.ts";
import { validValues } from "../../helpers/generate/valid.ts";
import { TargetLost } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

export const ruleTrials = (contract: Contract): Trial[] => {
  const byRequirement = new Map<string, Rule[]>();
  for (const rule of contract.rules) {
    if (rule.direction !== "request") continue;
    byRequirement.set(rule.requirement, [...(byRequirement.get(rule.requirement) ?? []), rule]);
  }
  const titles = new Map(contract.requirements.map((requirement) => [requirement.id, requirement]));
  return [...byRequirement].map(([requirement, rules]) => {
    const row = titles.get(requirement);
    const suffix = requirement.slice("card-enrollment.".length);
    return scenario(
      {
        id: `rule/${suffix}`,
        title: row?.statement ?? suffix,
        section: row?.source.split(", ").slice(1).join(", ") ?? "",
        requirements: [suffix],
      },
      async (context) => {
        for (const rule of rules) await tryRule(context, rule);
      },
    );
  });
};

const tryRule = async (context: TrialContext, rule: Rule): Promise<void> => {
  const paths = await pathsFor(context, rule);
  const [first = "card-number"] = paths;
  for (const [index, kind] of (await kindsOf(context, rule, first)).entries()) {
    const path = paths[index % paths.length] ?? first;
    await tryKind(context, rule, kind, path);
  }
};

/** A rule of one path's own fields is tried on that path, any other on each accepted path in turn. */
const pathsFor = async (context: TrialContext, rule: Rule): Promise<EnrollmentPath[]> => {
  const own: EnrollmentPath | undefined =
    rule.within !== undefined || rule.pointer === "/encryptedCard"
      ? "card-number"
      : rule.pointer.startsWith("/enrolmentReferenceData")
        ? "push-account-receipt"
        : undefined;
  if (own === undefined) return acceptedPaths(context);
  await requireAccepted(context, own);
  return [own];
};

const kindsOf = async (context: TrialContext, rule: Rule, path: EnrollmentPath): Promise<ProbeKind[]> => {
  const { request, body, cardSchema, card } = await generation(context, path);
  const kinds =
    rule.within === undefined
      ? probesFor(rule, request, generationFor(rule, body))
      : probesFor(rule, cardSchema, card);
  // That each value of the enum is accepted is a requirement of its own there.
  const valuesApart = rule.keyword === "enum" && rule.schema["x-values"] === true;
  return kinds.filter((kind) => !(valuesApart && kind.class === "boundary"));
};

interface Sample {
  readonly twin: Enrollment;
  readonly probe: Enrollment;
}

const tryKind = async (
  context: TrialContext,
  rule: Rule,
  kind: ProbeKind,
  path: EnrollmentPath,
): Promise<void> => {
  const samples = await samplesOf(context, rule, kind, path);
  let shown: { result: CheckResult; exchanges: Exchange[] } | undefined;
  const outcome = await context.property.tries(`${rule.pointer} ${kind.kind}`, samples, async (sample) => {
    const { result, exchanges } = await trySample(context, rule, kind, sample);
    if (result?.holds === false) shown = { result, exchanges };
    if (result?.holds === true) context.judge.record(rule.requirement, result, exchanges);
    return result?.holds !== false;
  });
  if (!outcome.holds && shown !== undefined) {
    context.judge.record(rule.requirement, shown.result, shown.exchanges);
  }
};

const trySample = async (
  context: TrialContext,
  rule: Rule,
  kind: ProbeKind,
  { twin, probe }: Sample,
): Promise<{ result: CheckResult | undefined; exchanges: Exchange[] }> => {
  // The probe goes first: a server may refuse to enroll the twin's card a second time.
  const sent = await enroll(context, probe, { judged: kind.class !== "observation" });
  if (kind.class === "observation") {
    context.judge.observe(
      subjectOf(kind, rule),
      "putCard",
      `${kind.kind} (${fieldOf(rule)}): ${answer(sent)}`,
    );
    return { result: undefined, exchanges: [] };
  }
  const accepted = await enroll(context, twin);
  if (sent.failure !== undefined && accepted.failure !== undefined)
    throw new TargetLost(accepted.failure.message);
  const exchanges = [sent, accepted];
  const what = { what: `${fieldOf(rule)}: ${kind.kind}`, pointer: rule.pointer, keyword: rule.keyword };
  if (kind.class === "boundary") {
    const result = checkAccepted(what, sent, accepted);
    if (result?.holds === true && !isEnrolled(sent)) return { result: undefined, exchanges };
    // Whether the server knows what an arranged value names is another matter.
    const unknown = kind.known && rule.schema["x-resource"] !== undefined && result?.holds === false;
    return { result: unknown ? undefined : result, exchanges };
  }
  const result = checkRefused(what, sent, accepted, [400]);
  if (result?.holds !== true) return { result, exchanges };
  return { result: observeRefusal(context, rule, kind.kind, sent) ? result : undefined, exchanges };
};

const samplesOf = async (
  context: TrialContext,
  rule: Rule,
  kind: ProbeKind,
  path: EnrollmentPath,
): Promise<fc.Arbitrary<Sample>> => {
  const { request, body, cardSchema, card } = await generation(context, path);
  const cards = (
    path === "card-number" ? validValues(cardSchema, card) : fc.constant(undefined)
  ) as fc.Arbitrary<Card | undefined>;
  // Where a server refuses each value of an optional field, the twin without it still shows that.
  const twinOf = (base: unknown): unknown =>
    kind.class === "boundary" && rule.keyword !== "optional" && rule.schema["x-optional"] === true
      ? applyEdit(base, { pointer: rule.pointer, remove: true })
      : base;
  const toEnrollment = (value: unknown, plain: unknown): Enrollment => ({
    path,
    body: value as Enrollment["body"],
    ...(plain !== undefined && { card: plain as Card }),
  });
  if (rule.within !== undefined) {
    const bodies = validValues(request, body);
    return fc.tuple(bodies, probePairs(kind, rule, cardSchema, card)).map(([value, { base, edited }]) => ({
      twin: toEnrollment(value, twinOf(base)),
      probe: toEnrollment(value, edited),
    }));
  }
  const pairs = probePairs(kind, rule, request, generationFor(rule, body));
  return fc.tuple(pairs, cards).map(([{ base, edited }, plain]) => ({
    twin: toEnrollment(twinOf(base), plain),
    // A probe of encryptedCard itself must not be overwritten by a proper one.
    probe: toEnrollment(edited, rule.pointer === "/encryptedCard" ? undefined : plain),
  }));
};

/** For a probe of `encryptedCard` its base holds a placeholder, which a real one replaces when the twin is sent. */
const generationFor = (rule: Rule, body: Awaited<ReturnType<typeof generation>>["body"]) =>
  rule.pointer === "/encryptedCard"
    ? {
        ...body,
        resources: { ...body.resources, "encrypted-card": "e30.AA.AA.AA.AA" },
        without: (body.without ?? []).filter((pointer) => pointer !== "/encryptedCard"),
      }
    : body;

const fieldOf = (rule: Rule): string => {
  const path = rule.pointer.slice(1).replaceAll("/", ".") || "the body";
  return rule.within === undefined ? path : `card.${path}`;
};

const answer = (exchange: Exchange): string =>
  isAccepted(exchange) ? "accepted" : `answered with ${statusOf(exchange) || "nothing"}`;

/** The gap that an observation belongs to. */
const subjectOf = (kind: ProbeKind, rule: Rule): string => {
  if (/empty/.test(kind.kind)) return "empty strings in required fields";
  if (/property/.test(kind.kind)) return "unknown request fields";
  if (rule.keyword === "format") return "country and language codes";
  if (rule.within !== undefined) return "primaryAccountNumber length";
  return "characters outside the BMP and white space";
};
