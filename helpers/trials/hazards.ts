/**
 * Judges, when a call is sent, whether it changes what the run did not create. What is not recognised is not harmless: a
 * resource belongs to the run only if the run knows that one of its calls created it.
 */
import type { Contract, Operation, Service } from "../contract/contract.ts";
import { getOrInsert } from "../contract/memoize.ts";
import { leavesOf } from "../contract/pointer.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";
import * as created from "./created-resources.ts";
import { idsAt, isChosen } from "./resource-providers.ts";
import { sourcesOf } from "./sources.ts";
import { NotTried } from "./stopped.ts";

type Named = Pick<created.CreatedResource, "service" | "resource" | "id" | "within">;

type Look = (operation: Operation, call: Call) => Promise<Exchange>;

const KEPT = "the run keeps the one that --id names, with its parts, and deletes only what it created";

export const createOwnership = ({ values }: Target, bindings: Readonly<Record<string, string>>) => {
  const made = createKnown();
  const shown = createKnown();
  const isMade = (one: Named): boolean => !Object.values(values).includes(one.id) && made.has(one);
  const isGiven = ({ service, resource, id }: Named): boolean =>
    values[sourcesOf(service)[resource]?.name ?? ""] === id;

  /** Whether a read of the name answers 404, where the run can remove what it creates there. */
  const isFree = async (contract: Contract, { path }: Operation, call: Call, look: Look, named: Named[]) => {
    const read = plainReadAt(contract, path);
    const [last, above] = named.toReversed();
    const isOwn = (one: Named) => isMade(one) || (isChosen(contract, one.resource, one.id) && !isGiven(one));
    if (read === undefined || last === undefined || (above !== undefined && !isOwn(above))) return false;
    const isRemovable = created.remover(contract, last.resource) !== undefined;
    if (!isRemovable || isGiven(last) || shown.has(last)) return false;
    return statusOf(await look(read, { operationId: read.operationId, path: call.path ?? {} })) === 404;
  };

  return {
    /**
     * Returns the operation with the hazards of this call: without `changes` if the call changes only what the run created.
     * A PUT to a free name creates what it names.
     * @param look sends a read
     * @throws NotTried for the deletion of what a setting names, or of a part of it, which no permission allows
     */
    async judged(contract: Contract, operation: Operation, call: Call, look: Look): Promise<Operation> {
      const { hazards, method, path } = operation;
      if (!hazards.includes("changes")) return operation;
      const own = { ...operation, hazards: hazards.filter((hazard) => hazard !== "changes") };
      const named = namedBy(contract.service, operation, call);
      const last = named.at(-1);
      if (last !== undefined && isMade(last)) return own;
      if (method === "DELETE") {
        const isPart = last === undefined || isGiven(last) || shown.has(last);
        if (!isPart || !(named.some(isGiven) || mentions(call, contract.service, values))) return operation;
        throw new NotTried("lacks", `${last?.resource ?? "another resource"}: ${KEPT}`);
      }
      // A place in a path that is chosen from a few identifies nothing.
      if (last === undefined) return method === "POST" ? own : operation;
      const isWhole = path.endsWith(`{${operation.parameters.findLast(isIdentifier)?.name}}`);
      if (!isWhole || method === "POST") return operation;
      if (isGiven(last)) return own;
      return method === "PUT" && (await isFree(contract, operation, call, look, named))
        ? { ...own, produces: [{ resource: last.resource, pointer: "" }] }
        : operation;
    },
    /**
     * Notes what an exchange created and showed. The run did not create what a setting names, or what the target showed
     * before, even if an answer names it.
     * @returns what the run created and removed, and the intent of the call if its result is known
     */
    note(
      contract: Contract,
      operation: Operation,
      call: Call,
      exchange: Exchange,
      intent: created.Intent | undefined,
    ): created.Change[] {
      const changes = created.changesBy(contract, operation, call, exchange, bindings);
      // A document that lists both tells with 200 that the resource existed before.
      const isOld = statusOf(exchange) === 200 && operation.responses[201] && operation.responses[200];
      for (const change of changes)
        if ("made" in change && !isOld && !shown.has(change.made, Number(exchange.startedAt)))
          made.add(change.made);
      const answeredAt = Number(exchange.startedAt) + exchange.durationMs;
      for (const one of shownBy(contract, operation, call, exchange, bindings)) shown.add(one, answeredAt);
      const isTold = (one: Named) => isMade(one) && created.remover(contract, one.resource) !== undefined;
      return [
        ...changes.filter((change) => !("made" in change) || isTold(change.made)),
        ...(intent !== undefined && created.isSettled(exchange, changes) ? [{ settled: intent.id }] : []),
      ];
    },
  };
};

/** Returns the read at a path that needs nothing but its path. */
const plainReadAt = ({ operations }: Contract, at: string): Operation | undefined =>
  operations.find(
    ({ method, path, parameters }) =>
      method === "GET" && path === at && parameters.every((one) => one.in === "path" || !one.required),
  );

/** Resources by identifier, with the resources to which they belong: each customer may have an order 1. */
const createKnown = () => {
  const known = new Map<string, { readonly within: Named["within"]; readonly since: number }[]>();
  const allOf = ({ service, resource, id }: Named) =>
    getOrInsert(known, [service, resource, id].join(" "), () => []);
  /** Whether it was known at a time. */
  const has = (one: Named, at = Number.POSITIVE_INFINITY): boolean =>
    allOf(one).some(
      ({ within, since }) =>
        since <= at && Object.entries(one.within).every(([above, id]) => (within[above] ?? id) === id),
    );
  const add = (one: Named, since = 0): void => {
    if (!has(one)) allOf(one).push({ within: one.within, since });
  };
  return { has, add };
};

/** Returns the existing resources that an accepted answer shows. */
const shownBy = (
  { service }: Contract,
  operation: Operation,
  call: Call,
  exchange: Exchange,
  bindings: Readonly<Record<string, string>>,
): Named[] => {
  const places = isAccepted(exchange) ? [...operation.finds, ...operation.shows] : [];
  const within = created.identifiersOf(operation, call);
  return places.flatMap(({ resource, pointer }) =>
    idsAt(exchange, bindings[operation.operationId] ?? pointer).map((id) => ({
      service,
      resource,
      id,
      within,
    })),
  );
};

const isIdentifier = ({ in: place, resource }: Operation["parameters"][number]): boolean =>
  place === "path" && resource !== undefined;

/** Returns the resources that the path of a call names, outermost first. */
const namedBy = (service: Service, operation: Operation, call: Call): Named[] =>
  Object.entries(created.identifiersOf(operation, call)).map(([resource, id], index, all) => ({
    ...{ service, resource, id },
    within: Object.fromEntries(all.slice(0, index)),
  }));

/** Whether the query or the body of a call has a value that a setting gives to a resource. */
const mentions = ({ query, json, raw }: Call, service: Service, values: Target["values"]): boolean => {
  const stated = leavesOf({ query, json, form: raw?.form }).map(({ value }) => String(value));
  return Object.values(sourcesOf(service)).some(({ name }) => stated.includes(values[name] ?? "\0"));
};
