/** Faults of calls that change another resource beside the one that they name. */
import type { Contract, Operation, ResourcePlace } from "../../../helpers/contract/contract.ts";
import { resourceNamed } from "../../../helpers/contract/lookups.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { segmentsOf } from "../../../helpers/contract/pointer.ts";
import type { Answer, Call, GeneralBehaviour } from "../call.ts";
import type { Identifiers } from "../values/complete.ts";
import { fieldsIn, isObject } from "../values/fields.ts";

/** The name of the fault that a call changes another resource as well, of the kind that it names. */
export const siblingChangedToo = (operationId: string, resource: string): GeneralBehaviour =>
  `sibling-changed-too-${operationId}-${resource}`;

/** By resource, the newest first. */
type Known = Map<string, readonly Identifiers[]>;

/** What the calls of a tenant have named, and what their answers have shown. */
const known = new WeakMap<object, { readonly named: Known; readonly shown: Known }>();

/** Handles a call, and with a fault also the same call of the last other resource. */
export const withSibling = async (
  tenant: object,
  contract: Contract,
  call: Call,
  handle: (call: Call) => Promise<Answer>,
): Promise<Answer> => {
  const answer = await handle(call);
  if (answer.status >= 300) return answer;
  const { named, shown } = getOrInsert(known, tenant, () => ({ named: new Map(), shown: new Map() }));
  const { operation, faulty } = call;
  const own = idsIn(contract, call);
  for (const resource of Object.keys(own)) {
    learn(named, resource, own);
    if (!faulty(siblingChangedToo(operation.operationId, resource))) continue;
    const [other] = [named, shown].flatMap((ids) =>
      (ids.get(resource) ?? []).filter((one) => one[resource] !== own[resource]),
    );
    if (other !== undefined)
      await handle(aboutOther(contract, call, { ...own, ...upTo(resource, operation, other) }));
  }
  for (const { resource, pointer } of [...operation.produces, ...operation.finds])
    for (const id of textsAt(answer.json, segmentsOf(pointer)))
      learn(shown, resource, { ...own, ...madeBy(operation.produces, answer), [resource]: id });
  return answer;
};

/** Returns the identifiers of a resource and of those above it in the path: what the path assigns to it stays the same. */
const upTo = (
  resource: string,
  { parameters }: Operation,
  ids: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const path = parameters.flatMap(({ in: place, resource: of = "" }) => (place === "path" ? [of] : []));
  const below = path.slice(path.indexOf(resource) + 1);
  return Object.fromEntries(
    Object.entries(ids).filter(([of]) => !path.includes(resource) || !below.includes(of)),
  );
};

const MOST_KNOWN = 3;

const learn = (to: Known, resource: string, ids: Identifiers): void => {
  const others = (to.get(resource) ?? []).filter((one) => one[resource] !== ids[resource]);
  to.set(resource, [ids, ...others].slice(0, MOST_KNOWN));
};

/** Returns the identifiers that a call names, in its path and at the top of its body. */
const idsIn = (contract: Contract, { operation, path, body }: Call): Identifiers => {
  const given = Object.entries({ ...fieldsIn(body), ...path });
  return Object.fromEntries(
    given.flatMap(([name, value]) => {
      const resource = resourceNamed(contract, operation, name);
      return resource === undefined || typeof value !== "string" ? [] : [[resource, value]];
    }),
  );
};

const aboutOther = (contract: Contract, call: Call, ids: Identifiers): Call => {
  const replaced = (fields: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => {
        const resource = resourceNamed(contract, call.operation, name) ?? "";
        return [name, ids[resource] ?? value];
      }),
    );
  const path = replaced(call.path) as Call["path"];
  return { ...call, path, body: isObject(call.body) ? replaced(call.body) : call.body };
};

const madeBy = (places: readonly ResourcePlace[], { json }: Answer): Identifiers =>
  Object.fromEntries(
    places.flatMap(({ resource, pointer }) => {
      const [id] = textsAt(json, segmentsOf(pointer));
      return id === undefined ? [] : [[resource, id]];
    }),
  );

const textsAt = (value: unknown, [segment, ...rest]: readonly string[]): readonly string[] => {
  if (segment === undefined) return ["string", "number"].includes(typeof value) ? [String(value)] : [];
  const fields = fieldsIn(value);
  const children = segment === "*" ? (Array.isArray(value) ? value : []) : [fields[segment]];
  return children.flatMap((child) => textsAt(child, rest));
};
