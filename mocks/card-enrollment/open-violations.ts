/** Violations of rules that the document leaves open. A server may enforce them. */
import type { JsonSchema } from "../../helpers/contract/contract.ts";
import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import type { Violation } from "../engine/validators.ts";
import { isObject } from "../engine/values/fields.ts";
import type { Call } from "./faults.ts";

export const openViolations = (call: Call): Violation[] => {
  const { body, differs } = call;
  const malformed = ENFORCED.filter(({ rule }) => differs(rule))
    .flatMap(({ pointers, fits }) => pointers.filter((pointer) => isMisfit(readAt(body, pointer), fits)))
    .map((pointer) => ({ path: pointer.split("/").slice(1), keyword: "format", absent: false }));
  return differs("unknown-fields-refused") ? [...malformed, ...unknownFields(call)] : malformed;
};

const isMisfit = (value: unknown, fits: (text: string) => boolean): boolean =>
  typeof value === "string" && !fits(value);

const nameOfCode = (type: "region" | "language", code: string): string | undefined => {
  try {
    return new Intl.DisplayNames("en", { type, fallback: "none" }).of(code);
  } catch {
    return undefined;
  }
};

const COUNTRY = "/consumer/countryCode";
const LANGUAGE = "/consumer/languageCode";
const IDENTITY = "/consumer/consumerIdentity/identityValue";

/** The required strings without a pattern that excludes the empty string. */
const MAY_BE_EMPTY = [
  IDENTITY,
  "/serviceId",
  "/consumer/firstName",
  "/consumer/lastName",
  "/consumer/mobileNumber/countryCode",
  "/consumer/mobileNumber/phoneNumber",
  "/complianceSettings/privacy/latestVersionUri",
  "/complianceSettings/tnc/latestVersionUri",
  "/enrolmentReferenceData/enrolmentReferenceId",
];

const ENFORCED: readonly {
  readonly rule: Parameters<Call["differs"]>[0];
  readonly pointers: readonly string[];
  readonly fits: Parameters<typeof isMisfit>[1];
}[] = [
  { rule: "empty-strings-refused", pointers: MAY_BE_EMPTY, fits: (text) => text !== "" },
  { rule: "codes-in-usual-case", pointers: [COUNTRY], fits: (code) => !/[a-z]/.test(code) },
  { rule: "codes-in-usual-case", pointers: [LANGUAGE], fits: (code) => !/[A-Z]/.test(code) },
  {
    rule: "unassigned-codes-refused",
    pointers: [COUNTRY],
    fits: (code) => nameOfCode("region", code.toUpperCase()) !== undefined,
  },
  {
    rule: "unassigned-codes-refused",
    pointers: [LANGUAGE],
    fits: (code) => nameOfCode("language", code.toLowerCase()) !== undefined,
  },
  {
    rule: "malformed-addresses-refused",
    pointers: [IDENTITY],
    fits: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  },
];

const unknownFields = ({ operation, body, validators }: Call): Violation[] => {
  const within = (schema: JsonSchema, value: unknown, path: readonly string[]): Violation[] => {
    const { properties } = validators.flatten(schema, value);
    if (!isObject(value) || properties === undefined) return [];
    return Object.entries(value).flatMap(([name, child]) => {
      const property = properties.get(name);
      const at = [...path, name];
      return property === undefined
        ? [{ path: at, keyword: "additionalProperties", absent: false }]
        : within(property, child, at);
    });
  };
  return within(operation.requestBody?.content["application/json"] ?? {}, body, []);
};
