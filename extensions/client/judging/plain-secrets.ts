/** Checks that a client sends card numbers, secrets and social security numbers only where the contract takes them. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { isObject } from "../../../helpers/contract/json.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import { atPointer, leavesOf } from "../../../helpers/contract/pointer.ts";
import { innerSchemas } from "../../../helpers/contract/schemas/schema-visitor.ts";
import { isCardNumber } from "../../../helpers/exchange/card-numbers.ts";
import { HOLDS, violation } from "../../../helpers/exchange/check-result.ts";
import { partsOfSecret } from "../../../helpers/exchange/secrets/secrets.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { isRedacted, ofRequest } from "./check.ts";

type Kind = "a card number" | "a security code" | "a secret" | "a social security number";

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ["a card number", /^x?f?pan$|(accountnumber|cardnumber|cardno)$/],
  ["a security code", /(securitycode|cvv2?|cvc2?)$/],
  ["a secret", /(secret|password|passphrase)$/],
  ["a social security number", /(ssn|socialsecurity(number)?)$/],
];

/** Returns what a field with this name holds. */
export const kindOf = (name: string): Kind | undefined => {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return KINDS.find(([, pattern]) => pattern.test(plain))?.[0];
};

interface Place {
  readonly kind: Kind;
  readonly pointer: string;
}

const OCCASION = "a request with a body or with headers of its own";

export const keepsSecretsInPlace = ofRequest(OCCASION, (seen, contract) => {
  const found = inHeaders(seen) ?? inBody(seen, contract);
  if (found === undefined) return seen.body === undefined ? undefined : HOLDS;
  return violation({
    pointer: found.pointer,
    message: `a request has ${found.kind} in a place that takes none`,
    expected: `${found.kind} only in the fields that the document has for it`,
    actual: found.pointer.startsWith("/") ? "a field of the body" : "a header",
  });
});

/** Headers of HTTP, of a cookie jar and of gateways, which may have digits of any meaning. */
const OTHER_HEADERS = /^(cookie|authorization|proxy-authorization|content-\w+|user-agent|host|traceparent)$/;

const inHeaders = (seen: Seen): Place | undefined => {
  const { operation, securitySchemes, isCredential } = seen;
  const { request } = seen.exchange;
  const known = [
    ...securitySchemes.map(({ header }) => header.toLowerCase()),
    ...(operation?.parameters ?? []).map(({ name }) => name.toLowerCase()),
  ];
  const { authorization = "" } = request.headers;
  const isBasic = /^basic /i.test(authorization) && !known.includes("authorization");
  if (isBasic && partsOfSecret(authorization).some((part) => isCredential?.(part) === true))
    return { kind: "a secret", pointer: "authorization" };
  for (const [name, value] of Object.entries(request.headers)) {
    if (known.includes(name) || OTHER_HEADERS.test(name) || value === "") continue;
    if (isCredential?.(value) === true) return { kind: "a secret", pointer: name };
    const kind = kindOf(name);
    const isCard = kind === "a card number" && isCardNumber(digitsOf(value));
    if (isCard || (kind !== undefined && kind !== "a card number")) return { kind, pointer: name };
  }
  return undefined;
};

/** People write card numbers in groups. */
const digitsOf = (text: string): string => text.replaceAll(/[ -]/g, "");

const inBody = (seen: Seen, contract: Contract): Place | undefined => {
  const { operation, body, opened } = seen;
  if (operation === undefined || !isObject(body)) return undefined;
  const taken = kindsTaken(contract)(operation);
  const sealed = Object.values(opened).map((card) => atPointer(card, "/primaryAccountNumber"));
  for (const { name, pointer, value } of leavesOf(body)) {
    if (isRedacted(value) || value === "") continue;
    if (sealed.includes(value)) return { kind: "a card number", pointer };
    const isSecret = typeof value === "string" && seen.isCredential?.(value) === true;
    if (isSecret && !taken.has("a secret")) return { kind: "a secret", pointer };
    const kind = kindOf(name);
    if (kind === undefined || taken.has(kind)) continue;
    // Accounts at a bank have numbers too.
    if (kind !== "a card number" || isCardNumber(digitsOf(String(value)))) return { kind, pointer };
  }
  return undefined;
};

/** Returns the kinds of values that the body of an operation has a field for, under any name. */
const kindsTaken = memoize(({ schemas }: Contract) => {
  const kindsIn = (schema: unknown, depth = DEEPEST): Kind[] =>
    depth === 0
      ? []
      : innerSchemas(schemas, schema).flatMap(({ name = "", schema: inner }) => [
          ...[kindOf(name)].flatMap((kind) => kind ?? []),
          ...kindsIn(inner, depth - 1),
        ]);
  return memoize(
    ({ requestBody }: Operation): ReadonlySet<Kind> =>
      new Set(Object.values(requestBody?.content ?? {}).flatMap((schema) => kindsIn(schema))),
  );
});

const DEEPEST = 5;
