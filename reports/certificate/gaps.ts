/** Adds the observation register and the fingerprint of behaviour to the certificate of a run. */
import { NO_BEHAVIOUR } from "../../helpers/behaviour/behaviour.ts";
import { mergedExamples } from "../../helpers/behaviour/examples.ts";
import { mergedBehaviour } from "../../helpers/behaviour/merge.ts";
import { packed } from "../../helpers/behaviour/packed.ts";
import { registerOf } from "../../helpers/behaviour/register.ts";
import { observationRows } from "../../helpers/behaviour/register-rows.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import type { TrialResult } from "../../helpers/trials/ledger.ts";
import { byText } from "../order.ts";
import type { Certificate } from "./certificate.ts";
import type { Evidence } from "./drift.ts";

export interface Observed {
  readonly parts: Required<Pick<Certificate, "behaviour" | "register">>;
  readonly evidence: Evidence;
}

/** @returns `undefined` if no trial observed a behaviour */
export const observedBehaviour = (
  contracts: readonly Contract[],
  trialResults: readonly TrialResult[],
): Observed | undefined => {
  if (!trialResults.some(({ behaviour }) => behaviour !== undefined)) return undefined;
  const ordered = [...trialResults].sort((one, other) => byText(one.trial, other.trial));
  const services = contracts.map(({ service, gaps }) => {
    const own = ordered.filter((result) => result.service === service);
    const behaviour = own.reduce(
      (all, result) => mergedBehaviour(all, result.behaviour ?? NO_BEHAVIOUR),
      NO_BEHAVIOUR,
    );
    const rows = observationRows(service);
    const examples = mergedExamples(own.map((result) => result.examples ?? {}));
    return { service, rows, examples, behaviour, register: registerOf(service, gaps, rows, behaviour) };
  });
  const byService = <Value>(read: (one: (typeof services)[number]) => Value): Record<string, Value> =>
    Object.fromEntries(services.map((one) => [one.service, read(one)]));
  return {
    parts: {
      behaviour: byService(({ behaviour }) => packed(behaviour)),
      register: services.flatMap(({ register }) => register),
    },
    evidence: { examples: byService(({ examples }) => examples), rows: byService(({ rows }) => rows) },
  };
};
