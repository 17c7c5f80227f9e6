/** Which account a log-in names: failures may lock it, and then its owner can no longer use the service. */
import type { Contract, JsonSchema, Operation } from "../contract/contract.ts";
import { referenced } from "../contract/pointer.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";
import { accountsOf, sourcesOf } from "./sources.ts";

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
