/** Lists what ends or becomes required, and when: by documents, and by the contract of a service. */
import type { Contract } from "../../helpers/contract/contract.ts";
import { isObject } from "../../helpers/contract/json.ts";
import { escapeSegment } from "../../helpers/contract/pointer.ts";
import { DATA_KEYWORDS } from "../../helpers/contract/schemas/keywords.ts";
import type { ApiDocument } from "./document/model.ts";
import { sunsetOf } from "./document/sunset.ts";

export interface End {
  /** `GET /parcels`, or the pointer of another part of the document. */
  readonly what: string;
  /** The day; absent for a deprecation without a date. */
  readonly on: string | undefined;
}

/** Returns what ends by a document. */
export const endsIn = ({ operations, root }: ApiDocument): End[] => {
  const known = new Set(operations.map(({ pointer }) => pointer));
  return [
    ...operations.flatMap((operation) => endOf(operation.label, operation.deprecated, operation.sunset)),
    ...partsOf(root).flatMap(([pointer, node]) =>
      known.has(pointer) ? [] : endOf(pointer, node.deprecated === true, sunsetOf(node)),
    ),
  ];
};

/** Returns what ends by a contract. */
export const endsOf = ({ operations }: Contract): End[] =>
  operations.flatMap(({ method, path, deprecated, sunset, requiredFrom }) => [
    ...endOf(`${method} ${path}`, deprecated, sunset),
    ...Object.entries(requiredFrom).map(([field, on]) => ({
      what: `${method} ${path} requires ${field}`,
      on,
    })),
  ]);

const endOf = (what: string, deprecated: boolean, on: string | undefined): End[] =>
  deprecated || on !== undefined ? [{ what, on }] : [];

/** Returns all objects of a document with their pointers, without the data in it. */
const partsOf = (node: unknown, pointer = ""): (readonly [string, Record<string, unknown>])[] => {
  if (typeof node !== "object" || node === null) return [];
  const inner = Object.entries(node).flatMap(([name, value]) =>
    DATA_KEYWORDS.has(name) ? [] : partsOf(value, `${pointer}/${escapeSegment(name)}`),
  );
  return isObject(node) ? [[pointer, node], ...inner] : inner;
};
