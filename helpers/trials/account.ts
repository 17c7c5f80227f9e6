/** Which account a log-in names: failures may lock it, and then its owner can no longer use the service. */
import type { Contract, JsonSchema, Operation } from "../contract/contract.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";
import { accountsOf } from "./sources.ts";

/** @returns `undefined` where nobody's account is named, or one that a test may lock */
export const accountAtRisk = (
  contract: Contract,
  operation: Operation,
  target: Target,
  call: Call,
): string | undefined => {
  if (!operation.refusalHazards.includes("locks-account")) return undefined;
  const { resources, own, disposable } = accountsOf(target, contract.service);
  const account = named(contract, operation, call, resources) ?? mentioned(call, own);
  return account !== undefined && disposable.includes(account) && !own.includes(account)
    ? undefined
    : account;
};

const named = (
  contract: Contract,
  { requestBody }: Operation,
  call: Call,
  resources: readonly unknown[],
): string | undefined => {
  const schema = resolved(contract, requestBody?.content["application/json"]);
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>);
  const [name] = properties.find(([, property]) => resources.includes(property["x-resource"])) ?? [];
  const value = name === undefined ? undefined : (call.json as Record<string, unknown> | undefined)?.[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
};

const resolved = (contract: Contract, schema: JsonSchema | undefined): JsonSchema | undefined =>
  typeof schema?.$ref === "string" ? contract.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;

/** A body of another shape may still be understood. */
const mentioned = (call: Call, own: readonly string[]): string | undefined => {
  const text = call.raw === undefined ? JSON.stringify(call.json ?? null) : call.raw.body.toString();
  return own.find((account) => text.includes(account));
};
