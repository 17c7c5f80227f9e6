/** Which account a log-in names: failures may lock it, and then somebody's partner is out of service. */
import type { Contract, JsonSchema, Operation } from "../contract/contract.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";

/** @returns `undefined` where nobody's account is named, or that of the disposable partner */
export const accountAtRisk = (
  contract: Contract,
  operation: Operation,
  target: Target,
  call: Call,
): string | undefined => {
  if (!operation.refusalHazards.includes("locks-account")) return undefined;
  const { FINANCIAL_DATA_PARTNER_ID: own, FINANCIAL_DATA_DISPOSABLE_PARTNER_ID: disposable } = target.values;
  const account = named(contract, operation, call) ?? mentioned(call, own);
  return account === disposable && disposable !== own ? undefined : account;
};

const PARTNERS: readonly unknown[] = ["partner", "disposable-partner"];

const named = (contract: Contract, { requestBody }: Operation, call: Call): string | undefined => {
  const schema = resolved(contract, requestBody?.content["application/json"]);
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>);
  const [name] = properties.find(([, property]) => PARTNERS.includes(property["x-resource"])) ?? [];
  const value = name === undefined ? undefined : (call.json as Record<string, unknown> | undefined)?.[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
};

const resolved = (contract: Contract, schema: JsonSchema | undefined): JsonSchema | undefined =>
  typeof schema?.$ref === "string" ? contract.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;

/** A body of another shape may still be understood. */
const mentioned = (call: Call, own: string | undefined): string | undefined => {
  const text = call.raw === undefined ? JSON.stringify(call.json ?? null) : call.raw.body.toString();
  return own !== undefined && text.includes(own) ? own : undefined;
};
