/**
 * Random and hostile requests to the operations of a contract. The same seed and the same identifiers give the same
 * requests.
 */
import fc from "fast-check";
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import { NoValue } from "../../../helpers/generate/later.ts";
import { validValues } from "../../../helpers/generate/valid.ts";
import { drawsFrom } from "../../../helpers/trials/seed.ts";
import type { KnownIds } from "./known-ids.ts";

export interface HostileRequest {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Hostility {
  readonly contract: Contract;
  /** Headers that the service accepts. */
  readonly right: () => Readonly<Record<string, string>>;
  readonly ids: KnownIds;
  /** The same by resource, where a body must name one in a certain form. */
  readonly resources: Readonly<Record<string, string>>;
}

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

/** A value that is too deep for `JSON.stringify`, by the text that stands for it. */
const DEEP: Readonly<Record<string, string>> = {
  "deep list": `${"[".repeat(30_000)}${"]".repeat(30_000)}`,
  "deep object": `${'{"toString":'.repeat(30_000)}1${"}".repeat(30_000)}`,
};

const VALUES: readonly unknown[] = [
  ...[null, true, false, "", " ", 0, -0, -1, 1.5, 1e308, 2 ** 53 + 2, [], {}, [[]], [null], {}],
  ...["\u0000", "\ud83d\ude00", "\ud800", "é".repeat(500), "x".repeat(5_000), "9".repeat(400), "1e400"],
  ...["NaN", "null", "True", "2026-02-30", "../../etc/passwd", "<script>", "' OR 1=1 --", "%s%n"],
  ...["http://127.0.0.1:9/", "http://[::1", "file:///etc/passwd", "a.b.c.d.e", "__proto__", "constructor"],
  JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{}},"toString":1,"length":-1}'),
  ...[deep(200), ...Object.keys(DEEP)],
];

const TEXTS = [
  ...["7", "none", "0", "-1", "%00", "%F0%9F%98%80", "9".repeat(60), "..%2F..", "null", "1e9", "%C3%A9"],
  ...["'--", "_", "%", "%zz", "a%20b", "__proto__", "constructor", "x".repeat(3_000), "true", "True"],
  "2026-01-01",
];

const BROKEN = [
  ...["{", "[1,2", "nul", '"\\ud800', '{"a":}', "\u0000", "<xml/>", "[".repeat(20_000), '{"a":1}{"a":2}'],
];

const TYPES = [
  ...["application/json", "application/json; charset=utf-16", "text/plain", "", "application/xml", "a/b;c"],
];

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** How many valid bodies of an operation are changed in turn. */
const BODIES = 4;

/** Returns a function that makes the next request. */
export const hostileRequests = (
  parties: readonly Hostility[],
  seed: number,
): (() => HostileRequest & { readonly service: string }) => {
  const random = randomFrom(seed);
  const all = parties.flatMap((party) =>
    party.contract.operations
      .filter(({ outbound }) => !outbound)
      .map((operation) => ({ party, operation, bodies: bodiesOf(party, operation, seed) })),
  );
  return () => {
    const { party, operation, bodies } = random.pick(all);
    const { service } = party.contract;
    const method = random.chance(0.95) ? operation.method : random.pick(METHODS);
    const body = method === "GET" || method === "HEAD" ? undefined : bodyFrom(random, bodies);
    return {
      service,
      method,
      path: `${pathFrom(random, operation, party.ids)}${queryFrom(random, operation)}`,
      headers: {
        ...(random.chance(0.9) ? party.right() : {}),
        ...(body !== undefined && {
          "content-type": random.chance(0.9) ? "application/json" : random.pick(TYPES),
        }),
        ...(random.chance(0.05) && { accept: random.pick(["application/pdf", "*/*;q=0", "", "text/html"]) }),
        ...(random.chance(0.02) && { "x-unknown": "y".repeat(2_000) }),
      },
      ...(body !== undefined && { body }),
    };
  };
};

type Random = ReturnType<typeof randomFrom>;

const randomFrom = (seed: number) => {
  const below = drawsFrom(seed);
  return {
    chance: (share: number): boolean => below(2 ** 32) < share * 2 ** 32,
    below,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
  };
};

const bodiesOf = (
  { contract: { schemas }, resources: known }: Hostility,
  { requestBody }: Operation,
  seed: number,
): readonly unknown[] => {
  const schema = requestBody?.content["application/json"];
  if (schema === undefined) return [];
  const named = JSON.stringify([schema, schemas]).matchAll(/"x-resource":"([^"]+)"/g);
  const every = Object.fromEntries([...named].map(([, resource = ""]) => [resource, "7"]));
  const sample = (resources: Hostility["resources"]) =>
    fc.sample(validValues(schema, { schemas, validator: createValidator({ schemas }), resources }), {
      numRuns: BODIES,
      seed,
    });
  try {
    return sample(known);
  } catch (error) {
    // A body that consists of identifiers needs some.
    if (error instanceof NoValue) return sample({ ...every, ...known });
    throw error;
  }
};

const bodyFrom = (random: Random, bodies: readonly unknown[]): string => {
  if (random.chance(0.05)) return random.pick(BROKEN);
  if (bodies.length === 0 || random.chance(0.05)) return textOf(random.pick(VALUES));
  const body = structuredClone(random.pick(bodies));
  if (random.chance(0.2)) return textOf(body);
  return textOf(changed(random, body, random.below(6)));
};

const textOf = (value: unknown): string =>
  Object.entries(DEEP).reduce(
    (text, [name, json]) => text.replaceAll(`"${name}"`, () => json),
    JSON.stringify(value),
  );

/** Changes one place in the value, at most so many levels below. */
const changed = (random: Random, value: unknown, levels: number): unknown => {
  if (levels === 0 || typeof value !== "object" || value === null)
    return structuredClone(random.pick(VALUES));
  const copy = value as Record<string, unknown>;
  const names = Object.keys(copy);
  const name = names.length === 0 || random.chance(0.1) ? String(random.pick(TEXTS)) : random.pick(names);
  if (random.chance(0.15)) delete copy[name];
  else {
    // An assignment to `__proto__` would change the prototype, and the request would not contain it.
    const own = Object.hasOwn(copy, name) ? copy[name] : undefined;
    const options = { configurable: true, enumerable: true, writable: true };
    Object.defineProperty(copy, name, { value: changed(random, own, levels - 1), ...options });
  }
  return copy;
};

const pathFrom = (random: Random, { path }: Operation, ids: KnownIds): string =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const known = ids.of(name);
    if (known.length > 0 && random.chance(0.85)) return random.pick(known);
    return random.pick(random.chance(0.5) ? ids.all() : TEXTS);
  });

const queryFrom = (random: Random, { parameters }: Operation): string => {
  const known = parameters.filter(({ in: place }) => place === "query").map(({ name }) => name);
  const names = known.filter(() => random.chance(0.4));
  if (random.chance(0.05)) names.push(random.pick(["unknown", "__proto__", "limit", "start", "a[b]"]));
  if (names.length === 0) return "";
  const values = names.flatMap((name) =>
    Array.from({ length: random.chance(0.05) ? 3 : 1 }, () => `${name}=${random.pick(TEXTS)}`),
  );
  return `?${values.join("&")}`;
};
