/** Compares the behaviour in two certificates: the observation register, and the fingerprint of behaviour. */
import { NO_BEHAVIOUR } from "../../helpers/behaviour/behaviour.ts";
import { type BehaviourChange, changesBetween } from "../../helpers/behaviour/drift.ts";
import {
  type Examples,
  exampleMatching,
  exampleOf,
  exampleWithStatus,
} from "../../helpers/behaviour/examples.ts";
import { arePacked, unpacked } from "../../helpers/behaviour/packed.ts";
import type { ObservationRow, RegisteredObservation } from "../../helpers/behaviour/register.ts";
import { answered, wordsOf } from "../../helpers/behaviour/words.ts";
import type { Service } from "../../helpers/contract/contract.ts";
import { grouped } from "../../helpers/contract/once.ts";
import type { Certificate } from "./certificate.ts";
import type { Drift } from "./changes.ts";

/** What the current run knows beyond its certificate. */
export interface Evidence {
  readonly examples: Readonly<Record<Service, Examples>>;
  readonly rows: Readonly<Record<Service, readonly ObservationRow[]>>;
}

/** What a certificate tells about behaviour. */
type Behaving = Pick<Certificate, "register" | "behaviour">;

/** @returns `undefined` if one of the certificates has no behaviour */
export const driftBetween = (
  baseline: Behaving,
  now: Behaving,
  evidence: Evidence,
): readonly Drift[] | undefined => {
  if (baseline.behaviour === undefined || now.behaviour === undefined) return undefined;
  if (!arePacked(Object.values(baseline.behaviour))) return undefined;
  return [...registerDrift(baseline, now, evidence), ...behaviourDrift(baseline, now, evidence)];
};

const registerDrift = (baseline: Behaving, now: Behaving, evidence: Evidence): Drift[] => {
  const before = new Map(baseline.register?.map((one) => [one.id, one]));
  return (now.register ?? []).flatMap((observation) => {
    const { id, service, what, value } = observation;
    const then = before.get(id)?.value ?? null;
    if (then === null || value === null || then.join("\n") === value.join("\n")) return [];
    const curl = exampleFor(observation, then, now, evidence);
    const words = answered(what, then, value);
    return [{ observation: id, service, operations: [], words, before: then, now: value, curl }];
  });
};

const exampleFor = (
  { id, service, subject }: RegisteredObservation,
  then: readonly string[],
  now: Behaving,
  { examples, rows }: Evidence,
): string | null => {
  const row = rows[service]?.find(
    (one) => one.gap === subject && (one.id === undefined || id.endsWith(`.${one.id}`)),
  );
  if (row?.match === undefined) return null;
  const behaviour = behaviourOf(now, service);
  return exampleMatching(examples[service] ?? {}, behaviour, new RegExp(row.match), then) ?? null;
};

const behaviourOf = ({ behaviour }: Behaving, service: Service) => {
  const text = behaviour?.[service];
  return text === undefined ? NO_BEHAVIOUR : unpacked(text);
};

/** Lists each change once, with all operations that show it. */
const behaviourDrift = (baseline: Behaving, now: Behaving, { examples }: Evidence): Drift[] =>
  Object.keys(now.behaviour ?? {}).flatMap((service) => {
    const changes = changesBetween(behaviourOf(baseline, service), behaviourOf(now, service));
    return [...grouped(changes, wordsOf)].map(([words, alike]): Drift => {
      const [first] = alike as readonly [BehaviourChange];
      const operations = [...new Set(alike.map(({ operationId }) => operationId))];
      return {
        observation: null,
        service,
        operations,
        words,
        before: first.before,
        now: first.now,
        curl: exampleOfChange(first, examples[service] ?? {}) ?? null,
      };
    });
  });

const exampleOfChange = (
  { kind, operationId, where, before, now }: BehaviourChange,
  examples: Examples,
): string | undefined => {
  if (kind !== "answer") return exampleWithStatus(examples, operationId, where.split(" ")[0] ?? "");
  const fresh = now.filter((answer) => !before.includes(answer));
  return exampleOf(examples, operationId, where, [...fresh, ...now]);
};
