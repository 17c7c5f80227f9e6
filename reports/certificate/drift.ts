/** Compares two certificates at level `gap`: the observation register, and the fingerprint of behaviour. */
import { NO_BEHAVIOUR } from "../../helpers/behaviour/behaviour.ts";
import { type BehaviourChange, causeOf, changesBetween, gapChanges } from "../../helpers/behaviour/drift.ts";
import {
  type Examples,
  exampleMatching,
  exampleOf,
  exampleWithStatus,
} from "../../helpers/behaviour/examples.ts";
import { type GapVerdict, gapRows } from "../../helpers/behaviour/gaps.ts";
import { arePacked, unpacked } from "../../helpers/behaviour/packed.ts";
import type { Service } from "../../helpers/contract/contract.ts";
import { grouped } from "../../helpers/contract/once.ts";
import { counted } from "../text.ts";
import type { Certificate } from "./certificate.ts";
import type { Drift } from "./changes.ts";

/** What a certificate tells about behaviour. */
type Behaving = Pick<Certificate, "register" | "behaviour" | "seed">;

/**
 * @param examples requests of the current run, by service
 * @returns `undefined` if one of the certificates has no behaviour
 */
export const driftBetween = (
  baseline: Behaving,
  now: Behaving,
  examples: Readonly<Record<Service, Examples>>,
): readonly Drift[] | undefined => {
  if (baseline.behaviour === undefined || now.behaviour === undefined) return undefined;
  if (!arePacked(Object.values(baseline.behaviour))) return undefined;
  const sameSeed = baseline.seed === now.seed;
  const ofRegister = gapChanges(baseline.register ?? [], now.register ?? [], sameSeed).map(
    ({ gap, ...change }) => {
      const { id, service } = gap;
      const shown = exampleFor(gap, change.before, now, examples[service] ?? {});
      return { observation: id, service, operations: [], ...change, curl: shown ?? null };
    },
  );
  const ofBehaviour = Object.keys(now.behaviour).flatMap((service) => {
    const changes = changesBetween(behaviourOf(baseline, service), behaviourOf(now, service), sameSeed);
    // Each change once, with its first place, and all operations that show it.
    return [...grouped(changes, causeOf).values()].map((alike): Drift => {
      const [first] = alike as readonly [BehaviourChange];
      const { before, now: here } = first;
      const places = new Set(alike.map((one) => one.words)).size;
      const words =
        places === 1 ? first.words : `${first.words}; the same in ${counted(places - 1, "more place")}`;
      const operations = [...new Set(alike.map(({ operationId }) => operationId))];
      const curl = exampleOfChange(first, examples[service] ?? {}) ?? null;
      return { observation: null, service, operations, words, before, now: here, curl };
    });
  });
  return [...ofRegister, ...ofBehaviour];
};

const exampleFor = (
  { id, service, subject }: GapVerdict,
  then: readonly string[],
  now: Behaving,
  examples: Examples,
): string | undefined => {
  const row = gapRows(service).find(
    (one) => one.gap === subject && (one.id === undefined || id.endsWith(`.${one.id}`)),
  );
  if (row?.match === undefined) return undefined;
  return exampleMatching(examples, behaviourOf(now, service), new RegExp(row.match), then);
};

const behaviourOf = ({ behaviour }: Behaving, service: Service) => {
  const text = behaviour?.[service];
  return text === undefined ? NO_BEHAVIOUR : unpacked(text);
};

const exampleOfChange = (
  { status, operationId, where, before, now }: BehaviourChange,
  examples: Examples,
): string | undefined => {
  if (status !== null) return exampleWithStatus(examples, operationId, status);
  const fresh = now.filter((answer) => !before.includes(answer));
  return exampleOf(examples, operationId, where, [...fresh, ...now]);
};
