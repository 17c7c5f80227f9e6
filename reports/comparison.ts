/** Compares two certificates: what changed between an earlier run, the baseline, and this one. */

import type { Verdict } from "../helpers/trials/ledger.ts";
import type { Certificate, CertifiedRequirement } from "./certificate.ts";
import type { Change, ChangeKind, Comparison } from "./changes.ts";

export const compareCertificates = (baseline: Certificate, now: Certificate): Comparison => {
  const before = new Map(baseline.requirements.map((requirement) => [requirement.id, requirement]));
  const asked = now.requirements.filter(isAsked);
  const changes = asked.flatMap((requirement) =>
    changeOf(requirement.id, before.get(requirement.id), requirement, baseline, now),
  );
  const gone = goneFrom(baseline, now);
  const all = [...changes, ...gone];
  return {
    baseline: { target: baseline.target.name, startedAt: baseline.startedAt, outcome: baseline.outcome },
    differences: differencesOf(baseline, now),
    changes: all,
    regressions: all.filter(({ regression }) => regression).length,
    lost: all.filter(({ kind }) => LOSSES.includes(kind)).length,
    notCompared: now.requirements.length - asked.length,
    stale: staleIn(baseline, now),
  };
};

/** What a run leaves out because it was told to says nothing about the target. */
const isAsked = ({ verdict, reason }: CertifiedRequirement): boolean =>
  !(verdict === "not-tried" && (reason === "not selected" || reason === "tried in another shard"));

type State = Verdict | "absent";

const TRIED: readonly State[] = ["passed", "failed", "advisory"];
const UNTRIED: readonly State[] = ["not-tried", "blocked"];
const LOSSES: readonly ChangeKind[] = ["newly-blocked", "no-longer-tried"];

/** The first row that fits names the change; without any nothing changed. */
const KINDS: readonly {
  readonly from: readonly State[];
  readonly to: readonly State[];
  readonly kind: ChangeKind;
}[] = [
  { from: ["absent", "passed", "advisory", ...UNTRIED], to: ["failed"], kind: "newly-failing" },
  { from: ["failed"], to: ["failed"], kind: "failing-otherwise" },
  { from: ["failed"], to: ["passed", "advisory"], kind: "fixed" },
  { from: ["passed"], to: ["advisory"], kind: "newly-advisory" },
  { from: ["advisory"], to: ["passed"], kind: "no-longer-advisory" },
  { from: ["absent", "not-tried", ...TRIED], to: ["blocked"], kind: "newly-blocked" },
  { from: TRIED, to: ["not-tried"], kind: "no-longer-tried" },
  { from: ["blocked"], to: ["not-tried"], kind: "no-longer-blocked" },
  { from: UNTRIED, to: ["passed", "advisory"], kind: "newly-tried" },
  { from: ["absent"], to: ["passed", "advisory", "not-tried"], kind: "added" },
];

const changeOf = (
  requirement: string,
  then: CertifiedRequirement | undefined,
  current: CertifiedRequirement,
  baseline: Certificate,
  now: Certificate,
): Change[] => {
  const known = new Set(findingsOf(baseline, requirement).map(({ fingerprint }) => fingerprint));
  const fresh = findingsOf(now, requirement).filter(({ fingerprint }) => !known.has(fingerprint));
  const from = then?.verdict ?? "absent";
  const kind = KINDS.find((row) => row.from.includes(from) && row.to.includes(current.verdict))?.kind;
  if (kind === undefined || (kind === "failing-otherwise" && fresh.length === 0)) return [];
  const fails = kind === "newly-failing" || kind === "failing-otherwise";
  const accepted = fresh.length > 0 && fresh.every((finding) => finding.accepted);
  return [
    {
      requirement,
      kind,
      before: then?.verdict ?? null,
      now: current.verdict,
      reason: current.reason,
      fingerprints: fails ? fresh.map(({ fingerprint }) => fingerprint) : [],
      regression: fails && !accepted,
    },
  ];
};

const findingsOf = ({ findings }: Certificate, id: string) =>
  findings.filter(({ requirement }) => requirement === id);

/** Of services that this run knows; it was not asked about the others. */
const goneFrom = (baseline: Certificate, now: Certificate): Change[] => {
  const services = new Set(now.contracts.map(({ service }) => service));
  const present = new Set(now.requirements.map(({ id }) => id));
  return baseline.requirements
    .filter(({ id, service }) => services.has(service) && !present.has(id))
    .map(({ id, verdict }) => ({
      requirement: id,
      kind: "gone",
      before: verdict,
      now: null,
      reason: null,
      fingerprints: [],
      regression: false,
    }));
};

const staleIn = (baseline: Certificate, now: Certificate): string[] => {
  const tried = new Set(
    now.requirements.filter(({ verdict }) => TRIED.includes(verdict)).map(({ id }) => id),
  );
  const found = new Set(now.findings.map(({ fingerprint }) => fingerprint));
  return baseline.findings
    .filter(({ requirement, fingerprint }) => tried.has(requirement) && !found.has(fingerprint))
    .map(({ fingerprint }) => fingerprint);
};

const TRAITS: readonly { readonly name: string; of(certificate: Certificate): unknown }[] = [
  { name: "target", of: ({ target }) => target.name },
  { name: "depth", of: ({ depth }) => depth },
  { name: "seed", of: ({ seed }) => seed },
  { name: "selection", of: ({ selection }) => selection },
];

const differencesOf = (baseline: Certificate, now: Certificate): string[] => {
  const told = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
  const traits = TRAITS.flatMap(({ name, of }) => {
    const [was, is] = [told(of(baseline)), told(of(now))];
    return was === is ? [] : [`${name} ${is}, was ${was}`];
  });
  const contracts = now.contracts.flatMap((contract) => {
    const was = baseline.contracts.find(({ service }) => service === contract.service);
    if (was === undefined) return [`${contract.service} is not in the baseline`];
    if (was.version !== contract.version) {
      return [`contract of ${contract.service} ${contract.version}, was ${was.version}`];
    }
    const same = was.digest === contract.digest && was.provider?.digest === contract.provider?.digest;
    return same ? [] : [`the contract of ${contract.service} ${contract.version} was edited`];
  });
  return [...traits, ...contracts];
};
