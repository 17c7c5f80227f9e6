/** The normal form of answers and deliveries: their statuses, codes, texts and names without the values they mention. */
import { leavesOf } from "../contract/pointer.ts";
import { type Exchange, type ReceivedResponse, statusOf } from "../exchange/exchange.ts";
import type { Delivery } from "../flows/delivery.ts";

/**
 * Returns the answer in normal form, for example `400 INVALID_ARGUMENT; The field … is missing`.
 * @param redact replaces secrets, which a refusal may repeat
 */
export const answerOf = (exchange: Exchange, redact: (text: string) => string): string => {
  const { response, failure } = exchange;
  if (response === undefined) return `no answer (${failure?.kind})`;
  const status = statusOf(exchange);
  if (status < 400) return [status, ...otherType(response)].join(" ");
  const { json = response.body.toString("utf8") } = response;
  const texts = leavesOf({ json }).flatMap(({ value }) =>
    typeof value === "number" || (typeof value === "string" && value !== "") ? [String(value)] : [],
  );
  // The order of fields is a fact of its own.
  return [status, ...[...new Set(texts.map((text) => normalText(redact(text))))].sort()]
    .join("; ")
    .slice(0, LONGEST);
};

/** Returns an answer without its codes and texts. */
export const shortAnswer = (answer: string): string => answer.split(";")[0] as string;

const LONGEST = 200;

/** Names the media type of a body that is not JSON. */
const otherType = ({ headers, body }: ReceivedResponse): string[] => {
  const type = headers["content-type"]?.split(";")[0];
  return type === undefined || body.length === 0 || /json/.test(type) ? [] : [type];
};

/** Replaces the values that a text mentions: quoted texts, addresses, ids and numbers. Codes are kept. */
export const normalText = (text: string): string =>
  text
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, "…")
    .replaceAll(/\bhttps?:\/\/\S+/g, "…")
    .replaceAll(/(?<![\w.-])[\w-]*\d[\w.:-]*/g, (word) => (CODE.test(word) ? word : "#"))
    .replaceAll(/#(?:, #)+/g, "#");

/** A code of at most five digits, or a name that ends in one or two digits. */
const CODE = /^(?:\d{3,5}|[a-z_]+\d{1,2})[.:]?$/i;

/** Returns the method of a delivery, the names of its query parameters, and the places of its fields. */
export const deliveryForm = ({ method, path, json }: Delivery): string => {
  const query = [...new URL(path, "http://receiver.test").searchParams.keys()];
  const names = [...new Set([...query, ...placesIn(json)])].sort();
  return [method, ...(names.length === 0 ? [] : [`with ${names.join(", ")}`])].join(" ");
};

/** The depth to which fields are listed. Deeper fields belong to a resource. */
const DEEPEST = 2;

const placesIn = (value: unknown, depth = 1): string[] => {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.length === 0 ? [] : placesIn(value[0], depth);
  return Object.entries(value).flatMap(([name, inside]) => {
    const inner = depth < DEEPEST ? placesIn(inside, depth + 1) : [];
    return inner.length === 0 ? [name] : inner.map((place) => `${name}.${place}`);
  });
};
