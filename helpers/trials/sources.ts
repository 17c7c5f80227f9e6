/**
 * How a user names the resources of a service that exist, and the accounts that failed log-ins lock: then their owner
 * can no longer use the service.
 */
import type { Contract, JsonSchema, Operation, Service } from "../contract/contract.ts";
import { referenced } from "../contract/pointer.ts";
import { type Setting, serviceDescriptor } from "../contract/services.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";

/** The setting that names one, by resource. */
export type Sources = Readonly<Record<string, Setting>>;

export const sourcesOf = (service: Service): Sources =>
  Object.fromEntries(
    serviceDescriptor(service).settings.flatMap((setting) =>
      setting.resource === undefined ? [] : [[setting.resource, setting]],
    ),
  );

/** Identifiers of the accounts of a service that no test may lock (`own`), or of those that a test may. */
export const accountsOf = (
  service: Service,
  { values }: Target,
  kind: NonNullable<Setting["account"]>,
): string[] =>
  serviceDescriptor(service).settings.flatMap(({ name, account }) =>
    account === kind && values[name] !== undefined ? [values[name]] : [],
  );

/** @returns `undefined` where nobody's account is named, or one that a test may lock */
export const accountAtRisk = (
  contract: Contract,
  operation: Operation,
  target: Target,
  call: Call,
): string | undefined => {
  if (!operation.refusalHazards.includes("locks-account")) return undefined;
  const own = accountsOf(contract.service, target, "own");
  const account = named(contract, operation, call) ?? mentioned(call, own);
  if (account === undefined || own.includes(account)) return account;
  return accountsOf(contract.service, target, "disposable").includes(account) ? undefined : account;
};

const named = (contract: Contract, { requestBody }: Operation, call: Call): string | undefined => {
  const sources = sourcesOf(contract.service);
  const body = requestBody?.content["application/json"];
  const schema = referenced(body?.$ref, contract.schemas) ?? body;
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>);
  const [name] = properties.find(([, property]) => sources[String(property["x-resource"])]?.account) ?? [];
  const value = name === undefined ? undefined : (call.json as Record<string, unknown> | undefined)?.[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
};

/** A body of another shape may still be understood. */
const mentioned = (call: Call, own: readonly string[]): string | undefined => {
  const text = call.raw === undefined ? JSON.stringify(call.json ?? null) : call.raw.body.toString();
  return own.find((account) => text.includes(account));
};
