/** Refuses schemas and references that lead back to themselves without a property or an item between. */
import { type OpenApiDocument, wrongAt } from "../documents/document.ts";
import { isObject, type Json } from "../json.ts";
import { atPointer, pointerIn } from "../pointer.ts";
import { besides, nodesIn } from "../schemas/schema-visitor.ts";

/** A place, and whether the search has left it. */
interface Visit {
  readonly node: Json;
  readonly pointer: string;
  readonly next: (readonly [unknown, pointer: string])[];
}

/** @throws ContractError naming line and pointer of the reference that closes the circle */
export const refuseEndless = (document: OpenApiDocument): void => {
  const settled = new Set<unknown>();
  for (const [node, pointer] of nodesIn(document.root))
    if (node.$ref !== undefined || besides(node, "alternatives").length > 0)
      visit(document, node, pointer, settled);
};

const visit = (document: OpenApiDocument, start: Json, at: string, settled: Set<unknown>): void => {
  const way: Visit[] = [];
  const entered = new Set<unknown>();
  const enter = (node: unknown, pointer: string): void => {
    if (!isObject(node) || settled.has(node)) return;
    if (entered.has(node)) throw circleAt(document, way, node);
    entered.add(node);
    way.push({ node, pointer, next: allBesides(document, node, pointer) });
  };
  enter(start, at);
  while (way.length > 0) {
    const last = way.at(-1) as Visit;
    const next = last.next.pop();
    if (next !== undefined) enter(...next);
    else {
      settled.add(last.node);
      entered.delete(last.node);
      way.pop();
    }
  }
};

const circleAt = (document: OpenApiDocument, way: readonly Visit[], closed: Json) => {
  const circle = way.slice(way.findIndex(({ node }) => node === closed));
  const { node, pointer } =
    circle.find(({ node: one }) => typeof one.$ref === "string") ?? (way.at(-1) as Visit);
  return wrongAt(
    document,
    pointer,
    `$ref "${node.$ref}" leads only to itself, so that no value can be judged by it`,
  );
};

/** Returns the schemas that apply to the same value: the target of a reference, and alternatives or conditions. */
const allBesides = (
  { root }: OpenApiDocument,
  node: Json,
  pointer: string,
): (readonly [unknown, string])[] => {
  const { $ref } = node;
  const isInside = typeof $ref === "string" && $ref.startsWith("#");
  return [
    // A reference to nothing is reported where it is used.
    ...(isInside ? [[atPointer(root, pointerIn($ref)), pointerIn($ref)] as const] : []),
    ...besides(node, "conditions").map(([one, step]) => [one, `${pointer}${step}`] as const),
  ];
};
