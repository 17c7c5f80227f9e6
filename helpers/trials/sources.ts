/**
 * Reads the settings that name existing resources of a service. Finds the accounts that failed log-ins would lock: the
 * owner of a locked account can no longer use the service.
 */
import type { Contract, Operation, Service } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import { innerSchemas } from "../contract/schemas/schema-visitor.ts";
import { adviceToSet, type Setting, serviceDescriptor } from "../contract/services.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";

/** The settings that name resources, by resource. */
export type Sources = Readonly<Record<string, Setting>>;

export const sourcesOf = (service: Service): Sources =>
  Object.fromEntries(
    serviceDescriptor(service).settings.flatMap((setting) =>
      setting.resource === undefined ? [] : [[setting.resource, setting]],
    ),
  );

/** Returns the accounts of a service that tests must not lock (`own`), or those that they may lock. */
export const accountsOf = (
  service: Service,
  { values }: Target,
  kind: NonNullable<Setting["account"]>,
): string[] =>
  serviceDescriptor(service).settings.flatMap(({ name, account }) =>
    account === kind && values[name] !== undefined ? [values[name]] : [],
  );

/**
 * Returns the setting that usually fills an empty list: one that the call can name, or else a resource with linked
 * accounts. If that is set, the list belongs to a new resource.
 */
export const hintForEmpty = (
  { sources, target: { values } }: { readonly sources: Sources; readonly target: Target },
  { parameters }: Operation,
): string => {
  const isUnset = ({ name }: Setting): boolean => values[name] === undefined;
  const nameable = parameters.flatMap(({ resource }) => sources[resource ?? ""] ?? []);
  const linked = Object.values(sources).filter((source) => source.linked);
  const unset = [...nameable, ...linked].find(isUnset);
  if (unset !== undefined) return `: ${adviceToSet(unset)}`;
  const spare = nameable.find((source) => source.linked)?.situation;
  return spare === undefined
    ? ""
    : `, because the resource is new, or an earlier run has used it: name a further ${spare} in SITUATIONS`;
};

/** Whether the path names a resource that the user keeps. All workers of a run share it. */
export const isWithinKept = ({ request }: Exchange, sources: Sources, { values }: Target): boolean => {
  const steps = new URL(request.url).pathname.split("/").map(decodeURIComponent);
  return Object.values(sources).some(({ name, kept }) => kept && steps.includes(values[name] ?? "/"));
};

/** @returns `undefined` when the call names no account, or one that a test may lock */
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

const named = (contract: Contract, operation: Operation, call: Call): string | undefined => {
  const account = configuredFields(contract, operation).find(({ setting }) => setting.account);
  const value = account && (call.json as Record<string, unknown> | undefined)?.[account.field];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
};

/** Returns the outermost fields of the body of a call that name configured resources. */
const configuredFields = (
  { service, schemas }: Contract,
  { requestBody }: Operation,
): { readonly field: string; readonly setting: Setting }[] => {
  const sources = sourcesOf(service);
  return innerSchemas(schemas, requestBody?.content["application/json"]).flatMap(({ name, schema }) => {
    const setting = isObject(schema) ? sources[String(schema["x-resource"])] : undefined;
    return name === undefined || setting === undefined ? [] : [{ field: name, setting }];
  });
};

/** Finds an account anywhere in the body, because a server may accept a body of another shape. */
const mentioned = (call: Call, own: readonly string[]): string | undefined => {
  const text = call.raw === undefined ? JSON.stringify(call.json ?? null) : call.raw.body.toString();
  return own.find((account) => text.includes(account));
};
