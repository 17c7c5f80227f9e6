/** Calls about other resources, to tell the answers about two resources apart. */
import type { Operation, Parameter, ResourcePlace } from "../../contract/contract.ts";
import { isFromDocument } from "../../contract/services.ts";
import type { Call } from "../call.ts";
import { having } from "../given-resources.ts";
import { identifiersAt } from "../resource-providers.ts";
import { sourcesOf } from "../sources.ts";
import { NotTried } from "../stopped.ts";
import type { TrialContext } from "../trial.ts";
import { demandOf, SAFE } from "../valid-call.ts";
import type { Policy } from "./policy.ts";
import { sampleCalls } from "./valid-calls.ts";

/**
 * Returns a call about other resources than the own call: about new ones or, if none can be arranged, about one that a
 * list shows beside the own one, which may lack what the call needs.
 */
export const elsewhere = async (
  context: TrialContext,
  policy: Policy,
  operation: Operation,
  own: Call,
): Promise<{ readonly call: Call; readonly isListed: boolean } | undefined> => {
  const named = operation.parameters.filter(({ in: place, resource }) => place === "path" && resource);
  // The user chose the resource of a document, so the run neither makes nor looks for another.
  if (isFromDocument() && named.some(({ resource = "" }) => isGiven(context, resource))) return undefined;
  const [other] = await ifArranged(
    sampleCalls({ ...context, arrange: context.arrange.others() }, policy, operation, 1),
  );
  if (other !== undefined && named.some(({ name }) => own.path?.[name] !== other.path?.[name]))
    return { call: other, isListed: false };
  // Another one of the innermost resource belongs to the same parents.
  const { resource } = named.at(-1) ?? {};
  if (resource === undefined) return undefined;
  const known = idsIn(named, own);
  const id = await listedBeside(context, policy, operation, resource, known);
  if (id === undefined) return undefined;
  const arrange = having(context.arrange, { ...known, [resource]: id });
  const [call] = await ifArranged(sampleCalls({ ...context, arrange }, policy, operation, 1));
  return call && { call, isListed: true };
};

const isGiven = ({ contract, target }: TrialContext, resource: string): boolean => {
  const source = sourcesOf(contract.service)[resource];
  return source !== undefined && target.values[source.name] !== undefined;
};

const ifArranged = async (calls: Promise<readonly Call[]>): Promise<readonly Call[]> => {
  try {
    return await calls;
  } catch (error) {
    if (error instanceof NotTried) return [];
    throw error;
  }
};

const idsIn = (named: readonly Parameter[], { path }: Call): Readonly<Record<string, string>> =>
  Object.fromEntries(named.map(({ name, resource = "" }) => [resource, path?.[name] ?? ""]));

/** Returns the first identifier, other than the known one, in a list: below the same parents, if there is such a list. */
const listedBeside = async (
  context: TrialContext,
  policy: Policy,
  operation: Operation,
  resource: string,
  known: Readonly<Record<string, string>>,
): Promise<string | undefined> => {
  const { [resource]: own, ...parents } = known;
  const { types = [] } = demandOf(operation, resource);
  const arrange = having(context.arrange, parents);
  const finders = findersOf(context.contract.operations, resource, Object.keys(parents));
  // A call that changes something names no resource of other parents, which may belong to others.
  const chosen = SAFE.includes(operation.method) ? finders : finders.filter(({ isBelow }) => isBelow);
  for (const { finder, place } of chosen) {
    const [call] = await ifArranged(sampleCalls({ ...context, arrange }, policy, finder, 1));
    if (call === undefined) continue;
    const { response } = await context.send(call);
    const pointer = context.bindings[finder.operationId] ?? place.pointer;
    const ids = identifiersAt(response?.json, pointer, types).map(({ value }) => String(value));
    const other = ids.find((id) => id !== own);
    if (other !== undefined) return other;
  }
  return undefined;
};

/** Returns the reads that list the resource, first those below the same parents, which name these and nothing else. */
const findersOf = (
  operations: readonly Operation[],
  resource: string,
  parents: readonly string[],
): readonly { readonly finder: Operation; readonly place: ResourcePlace; readonly isBelow: boolean }[] =>
  operations
    .flatMap((finder) => {
      const { method, hazards, parameters, finds } = finder;
      const place = finds.find((found) => found.resource === resource);
      if (place === undefined || method !== "GET" || hazards.length > 0) return [];
      const named = parameters
        .filter(({ in: where }) => where === "path")
        .map(({ resource: parent = "" }) => parent);
      const lacking = parents.filter((parent) => !named.includes(parent)).length;
      return [
        {
          finder,
          place,
          lacking,
          named: named.length,
          isBelow: lacking === 0 && named.length === parents.length,
        },
      ];
    })
    .sort((one, other) => one.lacking - other.lacking || one.named - other.named);
