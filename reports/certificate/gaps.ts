/** Adds what a run shows of the gaps to its certificate: the observation register, and the fingerprint of behaviour. */
import { type Examples, NO_BEHAVIOUR } from "../../helpers/behaviour/behaviour.ts";
import { gapVerdicts } from "../../helpers/behaviour/gaps.ts";
import { mergedBehaviour, mergedTable } from "../../helpers/behaviour/merge.ts";
import { packed } from "../../helpers/behaviour/packed.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import type { TrialResult } from "../../helpers/trials/ledger.ts";
import { byText, groupByTitle } from "../order.ts";
import type { Certificate } from "./certificate.ts";

export interface Observed {
  readonly parts: Required<Pick<Certificate, "behaviour" | "register">>;
  /** Requests that show the behaviour, by service. */
  readonly examples: Readonly<Record<Service, Examples>>;
}

/** @returns `undefined` if no trial observed a behaviour */
export const observedBehaviour = (
  contracts: readonly Contract[],
  trialResults: readonly TrialResult[],
): Observed | undefined => {
  if (!trialResults.some(({ behaviour }) => behaviour !== undefined)) return undefined;
  const ordered = [...trialResults].sort((one, other) => byText(one.trial, other.trial));
  const services = contracts.map((contract) => {
    const { service } = contract;
    const own = ordered.filter((result) => result.service === service);
    const behaviours = own.map((result) => result.behaviour ?? NO_BEHAVIOUR);
    const behaviour = behaviours.reduce(mergedBehaviour, NO_BEHAVIOUR);
    const examples = own.map((result) => result.examples ?? {}).reduce(mergedExamples, {});
    return { service, examples, behaviour: packed(behaviour), register: gapVerdicts(contract, behaviour) };
  });
  return {
    parts: {
      behaviour: Object.fromEntries(services.map(({ service, behaviour }) => [service, behaviour])),
      register: services.flatMap(({ register }) => register),
    },
    examples: Object.fromEntries(services.map(({ service, examples }) => [service, examples])),
  };
};

/** The first example of each answer remains. */
const mergedExamples = (one: Examples, other: Examples): Examples =>
  mergedTable(one, other, (a, b) => mergedTable(a, b, (c, d) => mergedTable(c, d, (first) => first)));

/** Lists what trials noted about each gap of the contract. */
export const observationsOf = (
  { service, gaps }: Contract,
  trialResults: readonly TrialResult[],
): Certificate["observations"] => {
  const all = trialResults.flatMap((trialResult) =>
    trialResult.service === service ? trialResult.observations : [],
  );
  return groupByTitle(all, ({ subject }) => subject)
    .sort((a, b) => byText(a.title, b.title))
    .map(({ title: subject, items }) => ({
      service,
      subject,
      gap: gaps.find((gap) => gap.subject === subject)?.gap ?? null,
      observed: [...new Set(items.map(({ observed }) => observed))].sort(byText),
    }));
};
