/**
 * Images of state: objects, maps, sets, dates and binary columns as JSON, with their identities. An image shares nothing
 * with the state that it was made of.
 */
import { isObject } from "./fields.ts";

/** The objects in which state is kept, by name. Restoring an image keeps these objects and what they hold directly. */
export type Stores = Readonly<Record<string, object>>;

export interface Image {
  readonly nodes: readonly Node[];
  /** Indexes of nodes, by name of the store. */
  readonly stores: Readonly<Record<string, number>>;
}

type Node =
  | { readonly o: Readonly<Record<string, Value>> }
  | { readonly a: readonly Value[] }
  | { readonly m: readonly (readonly [Value, Value])[] }
  | { readonly s: readonly Value[] }
  | { readonly d: number }
  | { readonly t: keyof typeof COLUMNS; readonly x: string };

/** A primitive as itself, or in a list of one or two items: `["r", index]`, `["u"]`, `["f"]`, `["b", digits]`. */
type Value = string | number | boolean | null | readonly [string, (number | string)?];

const COLUMNS = { Buffer, Int32Array, Uint16Array, Uint32Array };

export const imageOf = (stores: Stores): Image => {
  const nodes: Node[] = [];
  const known = new Map<object, number>();
  const refer = (value: object): number => {
    const index = known.get(value) ?? nodes.length;
    if (known.has(value)) return index;
    known.set(value, index);
    nodes.push({ a: [] });
    nodes[index] = nodeOf(value, written);
    return index;
  };
  const written = (value: unknown): Value => {
    if (value === undefined) return ["u"];
    if (typeof value === "function") return ["f"];
    if (typeof value === "bigint") return ["b", String(value)];
    return typeof value === "object" && value !== null ? ["r", refer(value)] : (value as Value);
  };
  const indexes = Object.entries(stores).map(([name, store]) => [name, refer(store)] as const);
  return { nodes, stores: Object.fromEntries(indexes) };
};

const nodeOf = (value: object, written: (value: unknown) => Value): Node => {
  if (value instanceof Map) return { m: [...value].map(([key, inner]) => [written(key), written(inner)]) };
  if (value instanceof Set) return { s: [...value].map(written) };
  if (value instanceof Date) return { d: value.getTime() };
  if (Array.isArray(value)) return { a: value.map(written) };
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { t: value.constructor.name as keyof typeof COLUMNS, x: bytes.toString("base64") };
  }
  return { o: Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, written(inner)])) };
};

/**
 * Brings the stores into the state of the image.
 * @param revived stands for each function of an object in the image; the functions of the stores stay
 */
export const restoreImage = (stores: Stores, { nodes, stores: indexes }: Image, revived: unknown): void => {
  const made = new Map<number, object>();
  const adopt = (index: number, live: object): void => {
    if (!made.has(index) && isSameKind(nodes[index] as Node, live)) made.set(index, live);
  };
  const named = Object.entries(indexes).filter(([name]) => stores[name] !== undefined);
  for (const [name, index] of named) adopt(index, stores[name] as object);
  for (const [name, index] of named) adoptInner(nodes, index, stores[name] as object, adopt);
  const filled = new Set<number>();
  const read = (value: Value): unknown => {
    if (!Array.isArray(value)) return value;
    const [kind, of] = value;
    if (kind === "u") return undefined;
    if (kind === "f") return revived;
    return kind === "b" ? BigInt(of) : objectAt(of);
  };
  const objectAt = (index: number): object => {
    const node = nodes[index] as Node;
    const object = made.get(index) ?? emptyOf(node);
    made.set(index, object);
    if (!filled.has(index)) {
      filled.add(index);
      fill(object, node, read);
    }
    return object;
  };
  for (const [, index] of named) objectAt(index);
};

/** Keeps the objects that a store holds directly, because handlers hold them too. */
const adoptInner = (
  nodes: Image["nodes"],
  index: number,
  store: object,
  adopt: (index: number, live: object) => void,
): void => {
  const node = nodes[index] as Node;
  if (!("o" in node)) return;
  for (const [name, value] of Object.entries(node.o)) {
    const live = (store as Record<string, unknown>)[name];
    if (Array.isArray(value) && value[0] === "r" && typeof live === "object" && live !== null)
      adopt(Number(value[1]), live);
  }
};

const isSameKind = (node: Node, live: object): boolean =>
  ("m" in node && live instanceof Map) ||
  ("s" in node && live instanceof Set) ||
  ("a" in node && Array.isArray(live)) ||
  ("o" in node && isObject(live) && !(live instanceof Map) && !(live instanceof Set));

const emptyOf = (node: Node): object => {
  if ("m" in node) return new Map();
  if ("s" in node) return new Set();
  if ("a" in node) return [];
  if ("d" in node) return new Date(node.d);
  if ("o" in node) return {};
  const bytes = Buffer.from(node.x, "base64");
  if (node.t === "Buffer") return bytes;
  const Column = COLUMNS[node.t];
  return new Column(new Uint8Array(bytes).buffer);
};

const fill = (object: object, node: Node, read: (value: Value) => unknown): void => {
  if ("m" in node && object instanceof Map) {
    object.clear();
    for (const [key, value] of node.m) object.set(read(key), read(value));
  } else if ("s" in node && object instanceof Set) {
    object.clear();
    for (const value of node.s) object.add(read(value));
  } else if ("a" in node && Array.isArray(object)) {
    object.splice(0, object.length, ...node.a.map(read));
  } else if ("o" in node) {
    const live = object as Record<string, unknown>;
    for (const name of Object.keys(live))
      if (!Object.hasOwn(node.o, name) && typeof live[name] !== "function") delete live[name];
    for (const [name, value] of Object.entries(node.o))
      if (typeof live[name] !== "function") live[name] = read(value);
  }
};
