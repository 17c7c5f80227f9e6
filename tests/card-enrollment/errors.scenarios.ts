/** Errors: the error status and the body of refusals. */
import type { Enrollment } from "../../fixtures/card-enrollment/enrollment.ts";
import { NO_ERROR_STATUS } from "../../fixtures/card-enrollment/errors.ts";
import { scenariosIn, type T } from "../../fixtures/card-enrollment/trial.ts";
import { checkErrorSource } from "../../helpers/checks/error-source.ts";
import { checkDetailsInBody, checkErrorStatus } from "../../helpers/checks/error-status.ts";
import { checkRefused } from "../../helpers/checks/refusal.ts";
import type { CheckResult } from "../../helpers/exchange/check-result.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import { applyEdit, type Edit } from "../../helpers/generate/edit.ts";
import { CREDENTIAL_SLIPS, similarTo } from "../../helpers/trials/from-contract/similar-credentials.ts";
import type { Trial } from "../../helpers/trials/trial.ts";

const scenario = scenariosIn("Errors");
const MISSING_NUMBER = "errors.INVALID_ARGUMENT.missing-primaryAccountNumber";
const NAMES_PARAMETER = "error.detail.source-names-parameter";
const UNNAMED = "no error named a source";
const NO_SOURCE = "no error contained the location of its source";

/** Requests that violate one rule each, with the keyword of the rule. */
const BROKEN: readonly { keyword: string; kind: string; edit: Edit }[] = [
  { keyword: "required", kind: "missing", edit: { pointer: "/srcClientId", remove: true } },
  { keyword: "required", kind: "missing", edit: { pointer: "/consumer", remove: true } },
  { keyword: "required", kind: "missing", edit: { pointer: "/consumer/lastName", remove: true } },
  { keyword: "type", kind: "number instead of string", edit: { pointer: "/serviceId", value: 4711 } },
  { keyword: "type", kind: "array instead of object", edit: { pointer: "/consumer", value: [] } },
  { keyword: "pattern", kind: "no UUID", edit: { pointer: "/srcClientId", value: "no-uuid" } },
  { keyword: "pattern", kind: "no UUID", edit: { pointer: "/srcCorrelationId", value: "no-uuid" } },
  { keyword: "enum", kind: "unknown value", edit: { pointer: "/cardSource", value: "ELSEWHERE" } },
];

/** Edits that turn the body of an accepted enrollment into an invalid or empty one. */
const NO_JSON: readonly { requirement: string; what: string; edit: (json: string) => string }[] = [
  {
    requirement: "request.json-body",
    what: "a body cut off in the middle",
    edit: (json) => json.slice(0, json.length / 2),
  },
  {
    requirement: "request.json-body",
    what: "a body that is not JSON",
    edit: () => "<card/>",
  },
  { requirement: "request.body.required", what: "a call without a body", edit: () => "" },
];

export const errorScenarios = [
  scenario("errors/invalid-argument", {
    title: "a malformed request gets a 400 with a documented error",
    requirements: [
      "errors.INVALID_ARGUMENT.schema-mismatch",
      "errors.INVALID_ARGUMENT.missing-mandatory",
      "errors.INVALID_ARGUMENT.invalid-format",
      "errors.INVALID_ARGUMENT.sample-detail",
      "errors.INVALID_ARGUMENT.sample-message",
      "errors.INVALID_STATE.schema-validation",
      "errors.INVALID_STATE.data-type-validation",
      "response.400.error-body",
      "error.either-shape-complete",
      "error.sample-shape.fields",
      "error.declared-shape.required-fields",
      "error.declared-shape.errordetail",
      "error.builder-returns-sample-shape",
      "error.detail.strings",
      NAMES_PARAMETER,
      "error.detail.sourceType.enum",
    ],
    async run(t) {
      let proved = 0;
      for (const path of await t.acceptedPaths()) {
        // Each row has two cards: a server may enroll a card only once, and a strict server may refuse the first.
        const samples = await t.sampleEnrollments(path, 2 * BROKEN.length);
        for (const [index, broken] of BROKEN.entries()) {
          for (const sample of samples.slice(2 * index, 2 * index + 2)) {
            if (!(await provesRefusal(t, broken, sample))) continue;
            proved += 1;
            break;
          }
        }
      }
      if (proved > 0) sayWhatNoErrorCarried(t);
    },
  }),

  scenario("errors/json", {
    title: "a body that is not JSON, or an absent body, is refused",
    requirements: ["request.json-body", "request.body.required"],
    async run(t) {
      for (const path of await t.acceptedPaths()) {
        const samples = await t.sampleEnrollments(path, NO_JSON.length);
        for (const [index, sample] of samples.entries()) {
          const { requirement, what, edit } = NO_JSON[index] as (typeof NO_JSON)[number];
          // Declared as JSON even when empty, because the answer to another content type is not documented.
          const raw = { body: edit(JSON.stringify(sample.body)), contentType: "application/json" };
          const refusal = await t.send({ operationId: "putCard", raw });
          const control = await t.enroll(sample);
          const result = checkRefused({ what, pointer: "" }, refusal, control, [400]);
          t.record(requirement, result, [refusal, control]);
        }
      }
    },
  }),

  unknownEntity("srcClientId", [
    "errors.INVALID_STATE.unknown-srcClientId",
    "request.srcClientId.identifies-client",
    "errors.INVALID_STATE.sample-detail",
  ]),
  unknownEntity("serviceId", [
    "errors.INVALID_STATE.unknown-serviceId",
    "request.serviceId.identifies-program",
  ]),

  scenario("errors/missing-card-number", {
    title: "an encrypted card without its number gets INVALID_ARGUMENT",
    requirements: [MISSING_NUMBER],
    async run(t) {
      await t.requireAccepted("card-number");
      for (const sample of await t.sampleEnrollments("card-number", 3)) {
        const { primaryAccountNumber: _, ...card } = sample.card ?? {};
        const refusal = await t.enroll({ ...sample, card });
        const control = await t.enroll(sample);
        const what = { what: "a Card without primaryAccountNumber", pointer: "/primaryAccountNumber" };
        const refused = checkRefused(what, refusal, control, [400]);
        if (refused === undefined) continue;
        const status = checkErrorStatus(refusal.response?.json, ["INVALID_ARGUMENT"]);
        const result = refused.holds ? status : refused;
        recordOr(t, MISSING_NUMBER, result, [refusal, control], NO_ERROR_STATUS);
      }
    },
  }),
];

/** @returns whether the invalid request was refused with 400 and its control was accepted */
const provesRefusal = async (
  t: T,
  { keyword, kind, edit }: (typeof BROKEN)[number],
  sample: Enrollment,
): Promise<boolean> => {
  const probe = { ...sample, body: applyEdit(sample.body, edit) as Enrollment["body"] };
  const refusal = await t.enroll(probe);
  const control = await t.enroll(sample);
  if (checkRefused({ what: kind, pointer: edit.pointer }, refusal, control, [400])?.holds !== true)
    return false;
  t.observeRefusal({ keyword, pointer: edit.pointer }, kind, [refusal, control]);
  return true;
};

function unknownEntity(field: "srcClientId" | "serviceId", requirements: readonly string[]): Trial {
  return scenario(`errors/unknown-${field}`, {
    title: `a well-formed but unknown ${field} gets INVALID_STATE`,
    requirements: [...requirements, NAMES_PARAMETER],
    async run(t) {
      const [requirement = "", resolves = [], detail] = requirements;
      for (const path of await t.acceptedPaths()) {
        for (const sample of await t.sampleEnrollments(path, 3)) {
          const unknown = field === "srcClientId" ? anotherUuid(t.seed) : `unknown_${t.seed >>> 0}`;
          const refusal = await t.enroll({ ...sample, body: { ...sample.body, [field]: unknown } });
          const control = await t.enroll(sample);
          const what = { what: `an unknown ${field}`, pointer: `/${field}` };
          const refused = checkRefused(what, refusal, control, [400]);
          if (refused === undefined) continue;
          const shown = [refusal, control];
          t.record(resolves, refused, shown);
          const body = refusal.response?.json;
          const value = refused.holds ? checkErrorStatus(body, ["INVALID_STATE"]) : refused;
          recordOr(t, requirement, value, shown, NO_ERROR_STATUS);
          if (refused.holds)
            recordOr(t, NAMES_PARAMETER, checkErrorSource(body, `/${field}`), shown, UNNAMED);
          if (detail !== undefined && refused.holds)
            recordOr(t, detail, checkDetailsInBody(body), shown, NO_SOURCE);
        }
      }
      await trySimilar(t, field, resolves);
    },
  });
}

/** Tries identifiers that differ from the right one in one thing, each with the same call. */
const trySimilar = async (
  t: T,
  field: "srcClientId" | "serviceId",
  requirement: string | readonly string[],
): Promise<void> => {
  const [sample] = await t.acceptable(1);
  if (sample === undefined) return;
  const control = await t.enroll(sample);
  const right = String((sample.body as Record<string, unknown>)[field]);
  const similar = field === "srcClientId" ? similarUuids(right) : similarTo(right, certainSlips());
  for (const { what, value } of similar) {
    const body = { ...sample.body, [field]: value };
    const refusal = await t.enroll({ ...sample, body }, { tries: `the ${field} ${what}` });
    const result = checkRefused(
      { what: `the ${field} ${what}`, pointer: `/${field}` },
      refusal,
      control,
      [400],
    );
    t.record(requirement, result, [refusal, control]);
  }
};

/** A part of the name of a program may be the name of another one, and letter case may not matter. */
const certainSlips = () =>
  CREDENTIAL_SLIPS.filter(({ change }) => {
    const changed = change("Program-1") ?? "";
    return changed.length >= "Program-1".length && changed !== "pROGRAM-1";
  });

/** Returns UUIDs with the beginning and with the end of a UUID. */
const similarUuids = (uuid: string) => {
  const turned = (text: string) =>
    text.replaceAll(/[0-9a-f]/g, (digit) => ((Number.parseInt(digit, 16) + 5) % 16).toString(16));
  const half = Math.floor(uuid.length / 2);
  return [
    { what: "with another end", value: uuid.slice(0, half) + turned(uuid.slice(half)) },
    { what: "with another beginning", value: turned(uuid.slice(0, half)) + uuid.slice(half) },
  ];
};

/** @param unseen what no answer showed, if there is no result */
const recordOr = (
  t: T,
  requirement: string,
  result: CheckResult | undefined,
  exchanges: readonly Exchange[],
  unseen: string,
): void => {
  if (result === undefined) t.leaveUntried(requirement, "not-shown", unseen);
  else t.record(requirement, result, exchanges);
};

/** Returns a well-formed UUID that no server knows. A server may still accept every UUID. */
const anotherUuid = (seed: number): string =>
  `f0f0f0f0-0000-4000-8000-${(seed >>> 0).toString(16).padStart(12, "0")}`;

/** Records why optional parts of errors were not judged: no document requires details or both error shapes. */
const sayWhatNoErrorCarried = (t: T): void => {
  const unseen: Readonly<Record<string, string>> = {
    "error.declared-shape.required-fields": "no error body had the declared shape",
    "error.declared-shape.errordetail": "no error body of the declared shape carried errordetail",
    "error.sample-shape.fields": "no error body had the sample shape",
    "error.builder-returns-sample-shape": "no error body had a documented shape",
    "error.detail.strings": "no error carried an ErrorDetail",
    [NAMES_PARAMETER]: UNNAMED,
    "error.detail.sourceType.enum": "no error carried a sourceType",
    "errors.INVALID_ARGUMENT.sample-detail": NO_SOURCE,
    "errors.INVALID_ARGUMENT.sample-message": "no error carried a message",
    "errors.INVALID_ARGUMENT.schema-mismatch": NO_ERROR_STATUS,
    "errors.INVALID_ARGUMENT.missing-mandatory": NO_ERROR_STATUS,
    "errors.INVALID_ARGUMENT.invalid-format": NO_ERROR_STATUS,
    "errors.INVALID_STATE.schema-validation": NO_ERROR_STATUS,
    "errors.INVALID_STATE.data-type-validation": NO_ERROR_STATUS,
  };
  for (const [requirement, seen] of Object.entries(unseen))
    t.leaveRestUntried(requirement, "not-shown", seen);
};
