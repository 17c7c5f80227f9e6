/** The catalogue: all deviations of a service, which are derived from its contract or written beside its handlers. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { loose } from "../../../helpers/contract/names.ts";
import { escapeSegment, segmentsOf } from "../../../helpers/contract/pointer.ts";
import { parametersOf } from "../parameters.ts";
import { sha256 } from "../values/identifiers.ts";
import type { Deviation, DeviationRow, Difference, Effect, Fault } from "./deviation.ts";
import { faultsOfOperations } from "./from-operations.ts";
import { faultsOfRelations } from "./from-relations.ts";
import { deviationsOfRules, type ExcludedDeviations } from "./from-rules.ts";
import { type GeneralTreatments, generalDifferences } from "./general.ts";

/** How a service deviates. */
export interface Deviating {
  /** Deviations that do not follow from its contract. */
  readonly deviations: readonly DeviationRow[];
  /** Derives deviations from promises that the service makes for each of its operations. */
  readonly derivedDeviations?: (contract: Contract) => readonly DeviationRow[];
  /** By name: general differences that its document forbids, or that change what can be shown. */
  readonly generalDifferences?: GeneralTreatments;
  /** Deviations from assumed rules that are not permitted differences. */
  readonly excludedDeviations?: ExcludedDeviations;
  /** Ids of derived faults that violate nothing documented. A `*` at the end matches any ending. */
  readonly unjudged: readonly string[];
  /** Returns the statuses that the service may answer with; any documented one if absent. */
  readonly statusesOf?: (operation: Operation) => readonly number[];
  /** Converts the body of a refusal to the second shape that the documents show, if they show two. */
  readonly otherRefusal?: (json: unknown) => unknown;
  /** Fields that a document names, although the schema around them is assumed. No difference leaves them out. */
  readonly namedFields?: readonly string[];
  /** Whether its answers follow from the document and from the conventions of paths. */
  readonly isByConvention?: true;
}

export const deviationsOf = (contract: Contract, service: Deviating): Deviation[] => {
  const { generalDifferences: treatments, excludedDeviations = {}, isByConvention } = service;
  const rows = [...service.deviations, ...(service.derivedDeviations?.(contract) ?? [])].filter(
    ({ isSettledByDocument }) => contract.provider === null || isSettledByDocument !== true,
  );
  const [isJudged, occurs] = [judgedBy(service.unjudged), occurringIn(contract, service.statusesOf)];
  const isTried = (violation: Fault) => isJudged(violation) && occurs(violation);
  const unnamed = (deviation: Deviation): Deviation | Difference =>
    isByConvention === true && isDifference(deviation) ? { ...deviation, isByConvention } : deviation;
  const written = rows.map((row) => deviationOf(contract, row));
  return [
    ...faultsOfOperations(contract).filter(isTried),
    ...faultsOfRelations(contract).filter(isTried),
    ...generalDifferences(contract, treatments).map((row) => unnamed(deviationOf(contract, row))),
    ...differencesIn(written),
    ...deviationsOfRules(contract, excludedDeviations, isTried).map(unnamed),
    ...faultsIn(written),
  ];
};

/** Adds the service to ids, and gives names of behaviours their effect. */
const deviationOf = (contract: Contract, row: DeviationRow): Deviation | Difference => {
  const { service } = contract;
  const { name, violates, what = "", gaps = [], operations = [], affects = [], silences = [], group } = row;
  const effects = row.effects.map(
    (effect): Effect =>
      typeof effect === "string" ? { kind: "behaviour", name: effect } : inDocumentNames(contract, effect),
  );
  if (violates !== undefined) {
    const requirement = `${service}.${violates}`;
    return { id: `${requirement}.${name}`, violates: requirement, service, effects };
  }
  return {
    ...{ id: `${service}.difference.${name}`, violates: null, service, effects },
    ...{ kind: "switch", what, gaps, operations },
    affects: affects.map((id) => `${service}.${id}`),
    silences: silences.map((id) => `${service}.${id}`),
    ...(group !== undefined && { group }),
  };
};

/** Changes a parameter at the place, and under the name, that the provider's document gives it. */
const inDocumentNames = ({ operations }: Contract, effect: Effect): Effect => {
  if (effect.kind !== "request") return effect;
  const [operationId = "", place] = effect.of.split("?");
  const ours = segmentsOf(effect.pointer).join("/");
  const named = operations
    .find((operation) => operation.operationId === operationId)
    ?.parameters.filter((one) => loose(one.ours ?? one.name) === loose(ours));
  const given = named?.find((one) => one.in === place) ?? named?.find((one) => one.in === "header");
  if (place === undefined || given === undefined || given.in === "cookie") return effect;
  const key = given.in === "header" ? given.name.toLowerCase() : given.name;
  return { ...effect, of: parametersOf(operationId, given.in), pointer: `/${escapeSegment(key)}` };
};

const judgedBy = (unjudged: readonly string[]): ((fault: Fault) => boolean) => {
  const exact = new Set(unjudged);
  const starts = unjudged.filter((id) => id.endsWith("*")).map((id) => id.slice(0, -1));
  return ({ id }) => !exact.has(id) && !starts.some((start) => id.startsWith(start));
};

/** A fault in answers that a service never gives would change nothing. */
const occurringIn = (
  { operations }: Contract,
  statusesOf: Deviating["statusesOf"],
): ((fault: Fault) => boolean) => {
  if (statusesOf === undefined) return () => true;
  const given = new Map(operations.map((one) => [one.operationId, statusesOf(one)]));
  return ({ effects }) =>
    effects.every((effect) => {
      if (effect.kind !== "json" || effect.when.status === undefined) return true;
      return given.get(effect.when.operationId ?? "")?.includes(effect.when.status) !== false;
    });
};

const isFault = (deviation: Deviation): deviation is Fault => deviation.violates !== null;

export const isDifference = (deviation: Deviation): deviation is Difference => "kind" in deviation;

export const faultsIn = (listed: readonly Deviation[]): Fault[] => listed.filter(isFault);

export const differencesIn = (listed: readonly Deviation[]): Difference[] => listed.filter(isDifference);

/** Returns a digest that changes with every fault and with every requirement on the service. */
export const catalogueDigest = (listed: readonly Deviation[], { requirements }: Contract): string => {
  const lines = [
    ...faultsIn(listed).map(({ id, violates, service, effects }) =>
      JSON.stringify({ id, violates, service, effects }),
    ),
    ...requirements.map(({ id, level, subject, observable }) =>
      JSON.stringify([id, level, subject, observable]),
    ),
  ];
  return `sha256-${sha256(lines.sort().join("\n")).toString("base64")}`;
};
