/** Lists all faults of the sandbox: faults derived from a contract and faults that a service defines. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loose } from "../../../helpers/contract/names.ts";
import { nearest } from "../../../helpers/contract/nearest.ts";
import { oncePer } from "../../../helpers/contract/once.ts";
import { escapeSegment, segmentsOf } from "../../../helpers/contract/pointer.ts";
import type { SandboxService } from "../service.ts";
import { sandboxService } from "../services.ts";
import { parametersOf } from "../validators.ts";
import { sha256 } from "../values/identifiers.ts";
import type { Fault, FaultEffect } from "./fault.ts";
import { faultsOfOperations } from "./operation-faults.ts";
import { faultsOfRules } from "./rule-faults.ts";

/** @throws Error when there is no sandbox for one of the services */
export const listFaults = async (contracts: readonly Contract[]): Promise<Fault[]> =>
  (await Promise.all(contracts.map(faultsOf))).flat();

const faultsOf = async (contract: Contract): Promise<Fault[]> => {
  const service = await sandboxService(contract.service);
  const isJudged = judgedBy(service.unjudged);
  const rows = [...service.faults, ...(service.derivedFaults?.(contract) ?? [])];
  const written = rows.map(({ violates, name, effects }): Fault => {
    const requirement = `${contract.service}.${violates}`;
    const named = effects.map((effect) => inDocumentNames(contract, effect));
    return { id: `${requirement}.${name}`, violates: requirement, service: contract.service, effects: named };
  });
  const derived = [...faultsOfOperations(contract), ...faultsOfRules(contract)];
  const occurs = occurringIn(contract, service.statusesOf);
  return [...derived.filter((fault) => isJudged(fault) && occurs(fault)), ...written];
};

/** A fault in answers that a service never gives would change nothing. */
const occurringIn = (
  { operations }: Contract,
  statusesOf: SandboxService["statusesOf"],
): ((fault: Fault) => boolean) => {
  if (statusesOf === undefined) return () => true;
  const given = new Map(operations.map((one) => [one.operationId, statusesOf(one)]));
  return ({ effects }) =>
    effects.every((effect) => {
      if (effect.kind !== "json" || effect.when.status === undefined) return true;
      return given.get(effect.when.operationId ?? "")?.includes(effect.when.status) !== false;
    });
};

/** Changes a parameter at the place, and under the name, that the provider's document gives it. */
const inDocumentNames = ({ operations }: Contract, effect: FaultEffect): FaultEffect => {
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

/** Returns a digest that changes with every fault and with every requirement on the service. */
export const catalogueDigest = async (contract: Contract): Promise<string> => {
  const faults = (await faultsOf(contract)).map((fault) => JSON.stringify(fault));
  const requirements = contract.requirements.map(({ id, level, subject, observable }) =>
    JSON.stringify([id, level, subject, observable]),
  );
  const lines = [...faults, ...requirements].sort().join("\n");
  return `sha256-${sha256(lines).toString("base64")}`;
};

/** @throws UnknownFaultError with the most similar ids */
export const faultsById = (faults: readonly Fault[], ids: readonly string[]): Fault[] => {
  const known = byId(faults);
  return ids.map((id) => {
    const fault = known.get(id);
    if (fault === undefined) throw new UnknownFaultError(id, nearest(id, [...known.keys()]));
    return fault;
  });
};

const byId = oncePer((faults: readonly Fault[]) => new Map(faults.map((fault) => [fault.id, fault])));

export class UnknownFaultError extends Error {
  constructor(id: string, candidates: readonly string[]) {
    const hint =
      candidates.length === 0 ? "No service here has faults." : `Nearest: ${candidates.join(", ")}.`;
    super(`There is no fault "${id}". ${hint}`);
    this.name = "UnknownFaultError";
  }
}
