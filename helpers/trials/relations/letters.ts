/** Tries that a read shows letters beyond ASCII that a change gave. A server may refuse them, or write them in another way. */
import type { Operation } from "../../contract/contract.ts";
import { atPointer } from "../../contract/pointer.ts";
import { type CheckResult, checkThat, shownValue } from "../../exchange/check-result.ts";
import { type Exchange, isAccepted } from "../../exchange/exchange.ts";
import type { Call, T } from "../kit/language.ts";
import { fieldsIn, givenTo, type Look } from "./resources.ts";

const LETTERS = " é漢";
/** The signs of letters that a server could not read or write, or of bytes of UTF-8 that it took for letters. */
const MANGLED = /[?\uFFFDÃ]/;

/**
 * @param read reads what the look shows of the resource
 * @returns the result and what shows it; `undefined` if no field may have the letters, or no read shows the change
 */
export const tryLetters = async (
  t: T,
  operation: Operation,
  call: Call,
  { view }: Look,
  read: () => Promise<{ readonly exchange: Exchange; readonly shown: unknown }>,
): Promise<{ readonly result: CheckResult; readonly exchanges: readonly Exchange[] } | undefined> => {
  const schema = operation.requestBody?.content["application/json"];
  const [field, text] =
    Object.entries(givenTo(view, call)).find(
      ([name, value]) =>
        typeof value === "string" && /^[\p{L} ]+$/u.test(value) && name in fieldsIn(call.json),
    ) ?? [];
  if (schema === undefined || field === undefined) return undefined;
  const json = { ...fieldsIn(call.json), [field]: `${text}${LETTERS}` };
  if (t.validator.validate(schema, json).length > 0) return undefined;
  const change = await t.answerTo({ ...call, json });
  if (!isAccepted(change)) return undefined;
  const valueIn = (shown: unknown) => atPointer(shown, `/${field}`);
  const { exchange, shown } = await t.readUntil(read, (one) => valueIn(one.shown) !== text);
  const value = valueIn(shown);
  if (typeof value !== "string" || value === text) return undefined;
  const result = checkThat(!MANGLED.test(value), {
    pointer: `/${field}`,
    message: `the answer does not show the letters of ${field} that the call gave`,
    expected: shownValue(`${text}${LETTERS}`),
    actual: shownValue(value),
  });
  return { result, exchanges: [exchange, change] };
};
