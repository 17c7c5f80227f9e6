/** Compares the certificate of a run with the baseline, the certificate of an earlier run. */
import { groupBy } from "../../helpers/contract/memoize.ts";
import { because, type Reason, sentenceOf } from "../../helpers/reasons/reason.ts";
import type { Verdict } from "../../helpers/trials/ledger.ts";
import type { Certificate, CertifiedRequirement } from "./certificate.ts";
import type { Change, ChangeKind, Comparison } from "./changes.ts";
import { driftBetween } from "./drift.ts";
import type { Observed } from "./gaps.ts";

/** @param examples requests of the current run that show its behaviour; without them, no drift is reported */
export const compareCertificates = (
  baseline: Certificate,
  now: Certificate,
  examples?: Observed["examples"],
): Comparison => {
  const before = new Map(baseline.requirements.map((requirement) => [requirement.id, requirement]));
  const findings = { before: findingsIn(baseline), now: findingsIn(now) };
  const asked = now.requirements.filter(isAsked);
  const changes = [
    ...asked.flatMap((requirement) => changeOf(before.get(requirement.id), requirement, findings)),
    ...goneFrom(baseline, now),
  ];
  const drift = examples && driftBetween(baseline, now, examples);
  return {
    baseline: { target: baseline.target.name, startedAt: baseline.startedAt, outcome: baseline.outcome },
    differences: differencesOf(baseline, now),
    changes,
    regressions: changes.filter(({ regression }) => regression).length,
    lost: changes.filter(({ kind }) => LOSSES.includes(kind)).length,
    notCompared: now.requirements.length - asked.length,
    stale: staleIn(baseline, now),
    ...(drift && { drift }),
  };
};

/** Whether the run selected this requirement. A requirement that was not selected says nothing about the target. */
const isAsked = (requirement: CertifiedRequirement): boolean =>
  !UNASKED.some((reason) => isReason(requirement, reason));

const UNASKED = [because("not-selected"), because("other-shard")];

/** Whether this is the reason. Certificates of earlier versions have only its sentence. */
const isReason = ({ reason, code }: CertifiedRequirement, asked: Reason): boolean =>
  code === undefined ? reason === sentenceOf(asked) : code === asked.code;

const TRIED: readonly (Verdict | "absent")[] = ["passed", "failed", "advisory"];
const UNTRIED: typeof TRIED = ["not-tried", "blocked"];
const LOSSES: readonly ChangeKind[] = ["newly-blocked", "no-longer-tried"];

/** The first matching row names the change. If no row matches, nothing changed. */
const KINDS: readonly (readonly [from: typeof TRIED, to: typeof TRIED, kind: ChangeKind])[] = [
  [["absent", "passed", "advisory", ...UNTRIED], ["failed"], "newly-failing"],
  [["failed"], ["failed"], "failing-otherwise"],
  [["failed"], ["passed", "advisory"], "fixed"],
  [["passed"], ["advisory"], "newly-advisory"],
  [["advisory"], ["passed"], "no-longer-advisory"],
  [["absent", "not-tried", ...TRIED], ["blocked"], "newly-blocked"],
  [TRIED, ["not-tried"], "no-longer-tried"],
  [["blocked"], ["not-tried"], "no-longer-blocked"],
  [UNTRIED, ["passed", "advisory"], "newly-tried"],
  [["absent"], ["passed", "advisory", "not-tried"], "added"],
];

const findingsIn = ({ findings }: Certificate) => groupBy(findings, ({ requirement }) => requirement);

const changeOf = (
  then: CertifiedRequirement | undefined,
  { id, verdict, reason, level, statement }: CertifiedRequirement,
  findings: Readonly<Record<"before" | "now", ReturnType<typeof findingsIn>>>,
): Change[] => {
  const known = new Set(findings.before.get(id)?.map(({ fingerprint }) => fingerprint));
  const fresh = (findings.now.get(id) ?? []).filter(({ fingerprint }) => !known.has(fingerprint));
  // The document of the baseline promises what a change takes back.
  const isTakenBack = level === "gap" && verdict === "advisory";
  const was = then?.verdict ?? (isTakenBack ? "passed" : "absent");
  const [, , kind] = KINDS.find(([from, to]) => from.includes(was) && to.includes(verdict)) ?? [];
  if (kind === undefined || (kind === "failing-otherwise" && fresh.length === 0)) return [];
  const fails = verdict === "failed" || isTakenBack;
  const accepted = fresh.length > 0 && fresh.every((finding) => finding.accepted);
  return [
    {
      requirement: id,
      kind,
      before: then?.verdict ?? null,
      now: verdict,
      reason: isTakenBack ? statement : reason,
      fingerprints: fails ? fresh.map(({ fingerprint }) => fingerprint) : [],
      regression: fails && !accepted,
    },
  ];
};

/** Lists the removed requirements of the services in this run. */
const goneFrom = (baseline: Certificate, now: Certificate): Change[] => {
  // Such a certificate has only the requirements that its run selected.
  if (now.document !== undefined && now.selection !== null) return [];
  const services = new Set(now.contracts.map(({ service }) => service));
  const present = new Set(now.requirements.map(({ id }) => id));
  const nothing = { now: null, reason: null, fingerprints: [], regression: false };
  return baseline.requirements
    .filter(({ id, service }) => services.has(service) && !present.has(id))
    .map(({ id, verdict }) => ({ requirement: id, kind: "gone", before: verdict, ...nothing }));
};

const staleIn = (baseline: Certificate, now: Certificate): string[] => {
  const tried = now.requirements.filter(({ verdict }) => TRIED.includes(verdict)).map(({ id }) => id);
  const [known, found] = [new Set(tried), new Set(now.findings.map(({ fingerprint }) => fingerprint))];
  return baseline.findings
    .filter(({ requirement, fingerprint }) => known.has(requirement) && !found.has(fingerprint))
    .map(({ fingerprint }) => fingerprint);
};

const traitsOf = ({ target, depth, seed, selection }: Certificate) => [
  ["target", target.name] as const,
  ["depth", depth] as const,
  ["seed", String(seed)] as const,
  ["selection", JSON.stringify(selection)] as const,
];

const differencesOf = (baseline: Certificate, now: Certificate): string[] => {
  const before = new Map<string, string>(traitsOf(baseline));
  const traits = traitsOf(now)
    .filter(([name, is]) => is !== before.get(name))
    .map(([name, is]) => `${name} ${is}, was ${before.get(name)}`);
  const contracts = now.contracts.flatMap(({ service, version, digest, provider }) => {
    const was = baseline.contracts.find((contract) => contract.service === service);
    if (was === undefined) return [`${service} is not in the baseline`];
    if (was.version !== version) return [`contract of ${service} ${version}, was ${was.version}`];
    const same = was.digest === digest && was.provider?.digest === provider?.digest;
    return same ? [] : [`the contract of ${service} ${version} was edited`];
  });
  return [...traits, ...contracts];
};
