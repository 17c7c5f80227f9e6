/** Finds the access token in the answer to a log-in. */
import { instancesAt } from "../checks/rules.ts";

/**
 * Returns the token at its place. Elsewhere, because the name of its field is not documented, the only text that may be
 * a token: of the whole answer, or else of its outermost fields.
 * @param pointer a JSON pointer
 */
export const tokenAt = (body: unknown, pointer: string): string | undefined => {
  const [at] = instancesAt(body, pointer);
  if (typeof at?.value === "string") return at.value;
  return onlyOne(candidatesIn(body)) ?? onlyOne(Object.values((body ?? {}) as object).filter(mayBeToken));
};

/** Returns all texts of an answer that may be tokens. */
export const candidatesIn = (body: unknown): string[] => {
  if (mayBeToken(body)) return [body];
  return typeof body === "object" && body !== null ? Object.values(body).flatMap(candidatesIn) : [];
};

const SHORTEST = 8;

/** Whether the value is a text that can be the value of a header, and no address or time. */
const mayBeToken = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length >= SHORTEST &&
  /^[\x21-\x7e]+$/.test(value) &&
  !URL.canParse(value) &&
  !/^\d{4}-\d\d-\d\d/.test(value);

const onlyOne = ([first, ...others]: readonly string[]): string | undefined =>
  others.length === 0 ? first : undefined;

/** Whether a header can contain the text (RFC 9110, 5.5). Servers limit the length of all headers to some kilobytes. */
export const isSendable = (text: string): boolean => text.length <= 16_384 && /^[ -~]*$/.test(text);
