/** Calls about other resources, to tell the answers about two resources apart. */
import { instancesAt } from "../../checks/rules.ts";
import type { Operation, Parameter } from "../../contract/contract.ts";
import type { Call } from "../call.ts";
import type { TrialContext } from "../trial.ts";
import type { Policy } from "./policy.ts";
import { sampleCalls } from "./valid-calls.ts";

/**
 * Returns the other call. If it names the same resources as the own call, because nobody creates such resources, they
 * are replaced by others from a list.
 */
export const elsewhere = async (
  context: TrialContext,
  policy: Policy,
  operation: Operation,
  own: Call,
  other: Call,
): Promise<Call> => {
  const named = operation.parameters.filter(({ in: place, resource }) => place === "path" && resource);
  if (named.some(({ name }) => own.path?.[name] !== other.path?.[name])) return other;
  const path = { ...other.path };
  for (const parameter of named) {
    const known = path[parameter.name] ?? "";
    path[parameter.name] = (await listedBeside(context, policy, parameter, known)) ?? known;
  }
  return { ...other, path };
};

/** Returns the first listed identifier that differs from the known one. */
const listedBeside = async (
  context: TrialContext,
  policy: Policy,
  { resource }: Parameter,
  known: string,
): Promise<string | undefined> => {
  for (const finder of context.contract.operations) {
    const place = finder.finds.find((found) => found.resource === resource);
    if (place === undefined || finder.method !== "GET" || finder.path.includes("{")) continue;
    const [call] = await sampleCalls(context, policy, finder, 1);
    if (call === undefined) continue;
    const { response } = await context.send(call);
    const ids = instancesAt(response?.json, place.pointer).map(({ value }) => String(value));
    return ids.find((id) => id !== known);
  }
  return undefined;
};
