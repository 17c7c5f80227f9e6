/** Finds the identifiers in answers that the links of a document lead to other operations with (OpenAPI 3.1, 4.8.20). */
import type { ResourcePlace } from "../../../helpers/contract/contract.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { plainName, plainPath } from "./names.ts";
import { METHODS, type Resource } from "./resources.ts";

/** Returns what a `post` creates, and where its answer has the identifier. @param guessed the same without links */
export const linkedCreation = (root: Json, post: Json, guessed: ResourcePlace | undefined) => {
  const linked = linkedPlaces(root, post);
  const same = linked.find(({ resource }) => resource === guessed?.resource);
  return same ?? guessed ?? (isObject((post.responses as Json)["201"]) ? linked[0] : undefined);
};

/** Adds the identifiers of other resources in the answer of a `get`, in place of guessed ones. */
export const addLinkedFinds = (root: Json, get: Json, own: readonly Resource[]): void => {
  const guessed = (get["x-finds"] ?? []) as readonly ResourcePlace[];
  const linked = linkedPlaces(root, get).filter(({ resource }) => own.every(({ name }) => name !== resource));
  const others = guessed.filter((one) => linked.every(({ resource }) => resource !== one.resource));
  if (linked.length > 0)
    get["x-finds"] = [...linked.map((place) => ({ ...place, isForeign: true })), ...others];
};

/** Returns the places of identifiers in a successful answer, each with the resource that the linked operation is about. */
const linkedPlaces = (root: Json, { responses }: Json): ResourcePlace[] => {
  const successes = Object.entries(responses as Record<string, Json>).filter(([status]) => /^2/.test(status));
  const links = successes.flatMap(([, { links: stated }]) => (isObject(stated) ? Object.values(stated) : []));
  return links.flatMap((link) => placesIn(root, resolved(root, link as Json)));
};

const placesIn = (root: Json, { operationId, operationRef, parameters }: Json): ResourcePlace[] => {
  const linked = linkedOperation(root, String(operationId), String(operationRef));
  const given = Object.entries(isObject(parameters) ? parameters : {});
  return given.flatMap(([name, expression]) => {
    const [, pointer] = /^\$response\.body#(\/.*)$/.exec(String(expression)) ?? [];
    const inPath = plainName(name.replace(/^path\./, ""));
    const { "x-resource": resource } =
      linked.find((one) => one.in === "path" && one.name === inPath) ?? ({} as Json);
    return pointer === undefined || typeof resource !== "string" ? [] : [{ resource, pointer }];
  });
};

/** Returns the parameters of an operation, or an empty list if the document lacks it. */
const linkedOperation = (root: Json, operationId: string, operationRef: string): readonly Json[] => {
  const [, path = "", method = ""] = /^#\/paths\/([^/]+)\/(\w+)$/.exec(operationRef) ?? [];
  const at = plainPath(path.replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = Object.entries(root.paths as Record<string, Json>).flatMap(([known, item]) =>
    METHODS.flatMap((name) => {
      const node = item[name];
      if (!isObject(node)) return [];
      const isNamed = [node.operationId, ...(node["x-aliases"] as unknown[])].includes(operationId);
      return isNamed || (known === at && name === method) ? [node.parameters] : [];
    }),
  );
  return (found[0] ?? []) as readonly Json[];
};

const resolved = (root: Json, { $ref, ...link }: Json): Json =>
  typeof $ref === "string" ? resolved(root, atPointer(root, $ref.slice(1)) as Json) : link;
