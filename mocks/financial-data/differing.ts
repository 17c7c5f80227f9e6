/** The permitted differences that change the calls and the answers of many operations. */
import { rewritten } from "../../helpers/contract/json.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import type { Answer } from "../engine/call.ts";
import { isObject } from "../engine/values/fields.ts";
import { type RefusedError, refused } from "./answers.ts";
import type { Call } from "./calls.ts";

/** Parameters whose names only the provider's document may show. */
const NAMED_BY_REFERENCE = [
  ...["callbackUrl", "includePending", "include", "includeReasons", "insights", "metadata", "onBehalfOf"],
  ...["purpose", "showDailyBalance", "withInsights"],
];

/** Returns the call as a server understands it that has other parameters, or that counts the entries of lists from zero. */
export const asUnderstood = (call: Call): Call => {
  const { query, differs } = call;
  if (differs("parameters-named-otherwise")) {
    const known = Object.entries(query).filter(
      ([name]) => !NAMED_BY_REFERENCE.includes(name) || isShown(call, name),
    );
    return { ...call, query: Object.fromEntries(known) };
  }
  if (!differs("pages-from-zero") || query.start === undefined) return call;
  return { ...call, query: { ...query, start: Number(query.start) + 1 } };
};

const isShown = ({ operation }: Call, parameter: string): boolean =>
  operation.parameters.some(({ name, level }) => name === parameter && level === "provider");

/** The document demands an empty list with 200 of these operations. */
const ALWAYS_FOUND = ["GetInstitutions", "GetCertifiedInstitutions", "GetCertifiedInstitutionsWithRSSD"];

/** @throws RefusedError when an empty list is not found */
export const withoutEmptyLists = ({ operation, differs }: Call, answer: Answer): Answer => {
  const { operationId, list } = operation;
  const items = list === undefined ? undefined : atPointer(answer.json, list.items);
  if (!Array.isArray(items) || items.length > 0 || ALWAYS_FOUND.includes(operationId)) return answer;
  if (differs("empty-lists-not-found")) throw refused("empty-list");
  if (!differs("empty-lists-absent") || !isObject(answer.json)) return answer;
  const { written: _, ...rest } = answer;
  const filled = Object.entries(answer.json).filter(([, value]) => value !== items);
  return { ...rest, json: Object.fromEntries(filled) };
};

/** Other spellings of account types. */
const IN_WORDS: Readonly<Record<string, string>> = {
  cd: "certificateOfDeposit",
  creditCard: "credit card",
  lineOfCredit: "line of credit",
  moneyMarket: "money market",
  studentLoan: "student loan",
};

/** Spells the types of accounts in another way. An account is an object with a login. */
export const respelled = ({ differs }: Call, answer: Answer): Answer => {
  if (!differs("account-types-in-words") || answer.json === undefined) return answer;
  const { written: _, ...rest } = answer;
  const json = rewritten(answer.json, (object) => {
    const { type, institutionLoginId } = object;
    const word = institutionLoginId === undefined ? undefined : IN_WORDS[String(type)];
    return word === undefined ? object : { ...object, type: word };
  });
  return { ...rest, json };
};

/** Returns an empty success instead of the refusal of an account of another type. */
export const emptyInstead = ({ operation, differs }: Call, { refusal }: RefusedError): Answer | undefined =>
  refusal.cause === "unsupported-account-type" &&
  differs("other-types-empty") &&
  operation.responses[200]?.content["application/json"] !== undefined
    ? { status: 200, json: {} }
    : undefined;
