/** An OpenAPI document, its references, and the errors for its places. */
import { isObject, type Json } from "../json.ts";
import { atPointer, pointerIn } from "../pointer.ts";
import { errorAt } from "./locate.ts";
import type { ContractError, SourceFile } from "./source-file.ts";

export interface OpenApiDocument {
  readonly root: Json;
  readonly main: SourceFile;
  /** All files of the document, the main one first. */
  readonly sources: readonly SourceFile[];
}

const ASK = "Correct it there, or ask whoever publishes the document.";

/** Returns the error for a place of a document that a third party may publish. */
export const wrongAt = (
  { main }: OpenApiDocument,
  pointer: string,
  problem: string,
  hint = ASK,
): ContractError => errorAt(main, pointer, problem, hint);

/** @throws ContractError naming line and pointer */
export const objectAt = (document: OpenApiDocument, value: unknown, pointer: string, hint = ASK): Json => {
  if (isObject(value)) return value;
  throw wrongAt(document, pointer, "an object is needed here", hint);
};

/**
 * Returns the target of a reference in the document.
 * @param entered references that were followed before
 * @throws ContractError naming line and pointer of a reference that has no target or refers to itself
 */
export const followed = (
  document: OpenApiDocument,
  ref: string,
  pointer: string,
  entered: readonly string[],
  hint = ASK,
): unknown => {
  const target = /^#(\/|$)/.test(ref) ? atPointer(document.root, pointerIn(ref)) : undefined;
  if (target === undefined)
    throw wrongAt(document, pointer, `$ref "${ref}" names nothing in the document`, hint);
  if (entered.includes(ref)) throw wrongAt(document, pointer, `$ref "${ref}" refers to itself`, hint);
  return target;
};
