/** The normal form of an answer: its status, and the codes and texts of a refusal without the values they mention. */
import { type Exchange, type ReceivedResponse, statusOf } from "../exchange/exchange.ts";

/**
 * Returns the answer in normal form, for example `400 INVALID_ARGUMENT; The field … is missing`.
 * @param redact replaces secrets, which a refusal may repeat
 */
export const answerOf = (exchange: Exchange, redact: (text: string) => string): string => {
  const { response, failure } = exchange;
  if (response === undefined) return `no answer (${failure?.kind})`;
  const status = statusOf(exchange);
  if (status < 400) return [status, ...otherType(response)].join(" ");
  const words = response.json === undefined ? response.body.toString("utf8") : undefined;
  const texts = words === undefined ? leavesOf(response.json) : words === "" ? [] : [words];
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

const leavesOf = (value: unknown): string[] => {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
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
