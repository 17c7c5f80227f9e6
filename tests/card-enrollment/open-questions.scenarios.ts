/** Questions that the document leaves open: observed once and shown in the certificate, without a verdict. */
import { answerOf } from "../../fixtures/card-enrollment/blame.ts";
import type { Enrollment } from "../../fixtures/card-enrollment/enrollment.ts";
import { scenariosIn, type T } from "../../fixtures/card-enrollment/trial.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import { applyEdit, type Edit } from "../../helpers/generate/edit.ts";
import { type Call, type Exchange, isAccepted, statusOf } from "../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Open questions");

const EITHER = "both or neither of encryptedCard and enrolmentReferenceData";
const OTHERS = "other methods, paths and content types";

/** By the subject of a gap: what is asked, and the change to an accepted enrollment, or to its call. */
const QUESTIONS: readonly (readonly [string, string, Edit | undefined, Partial<Call>?])[] = [
  [EITHER, "neither of the two", { pointer: "/enrolmentReferenceData", remove: true }],
  [
    "encryptedCard compact form",
    "an encryptedCard of one segment",
    { pointer: "/encryptedCard", value: "AAAA" },
  ],
  ["serviceId pattern", "an empty serviceId", { pointer: "/serviceId", value: "" }],
  [
    "srcCorrelationId pattern",
    "a prefixed srcCorrelationId",
    { pointer: "/srcCorrelationId", value: "0a1b2c3d.00000000-0000-4000-8000-00000000000a" },
  ],
  [
    "identityValue form",
    "an identityValue without @",
    { pointer: "/consumer/consumerIdentity/identityValue", value: "no-mail-address" },
  ],
  ["empty strings in required fields", "an empty firstName", { pointer: "/consumer/firstName", value: "" }],
  [
    "unknown request fields",
    "a field outside the schema",
    { pointer: "/unexpectedField", value: "unexpected" },
  ],
  [
    "country and language codes",
    "a lower-case country code",
    { pointer: "/consumer/countryCode", value: "us" },
  ],
  [
    "401 or 403 or 400 for header problems",
    "an empty key",
    undefined,
    { headers: { "x-openapi-clientid": "" } },
  ],
  [OTHERS, "GET /cards", undefined, { method: "GET" }],
  [OTHERS, "POST /cards/unknown", undefined, { at: "/cards/unknown" }],
  [OTHERS, "a body declared as text/plain", undefined, { headers: { "content-type": "text/plain" } }],
];

export const openQuestions = [
  scenario("open-questions/asked", {
    title: "answers to requests that the document leaves open",
    requirements: [],
    async run(t) {
      const [sample] = await t.acceptable(1);
      if (sample === undefined) return;
      const { card: _, ...rest } = sample;
      for (const [subject, asked, edit, call] of QUESTIONS) {
        const body = edit === undefined ? sample.body : (applyEdit(sample.body, edit) as Enrollment["body"]);
        const keepsCard =
          edit === undefined || !["/enrolmentReferenceData", "/encryptedCard"].includes(edit.pointer);
        await ask(t, subject, asked, { ...(keepsCard ? sample : rest), body }, call);
      }
    },
  }),
  scenario("open-questions/repeated", {
    title: "answers to a repeated enrollment and to one with both a card and a receipt",
    requirements: [],
    async run(t) {
      const { enrollment, exchange } = await t.requireAccepted(await t.firstAccepted());
      const again = await ask(t, "repeated enrollment", "the same card again", enrollment);
      if (isAccepted(again)) {
        const isSame = digitalCardOf(again) === digitalCardOf(exchange);
        const observed = `the digital card of the same card again: ${isSame ? "the same" : "another"}`;
        t.judge.observe("repeated enrollment", "putCard", observed);
      }
      const [card] = await t.sampleEnrollments("card-number", 1);
      const [receipt] = await t.sampleEnrollments("push-account-receipt", 1);
      if (card === undefined || receipt === undefined) return;
      await ask(t, "primaryAccountNumber length", "a wrong check digit", withOtherCheckDigit(card));
      const byReceipt = await t.enroll(receipt, { judged: false });
      if (isAccepted(byReceipt)) {
        const status = atPointer(byReceipt.response?.json, "/maskedCard/digitalCardData/status");
        const observed = `a card enrolled by its receipt: ${status === undefined ? "no status" : "a status"}`;
        t.judge.observe("card status values in the schema and in the rule", "putCard", observed);
      }
      const { enrolmentReferenceData } = receipt.body;
      const both = { ...card, body: { ...card.body, enrolmentReferenceData } };
      await ask(t, EITHER, "both of the two", both);
    },
  }),
];

const ask = async (
  t: T,
  subject: string,
  asked: string,
  enrollment: Enrollment,
  call: Partial<Call> = {},
): Promise<Exchange> => {
  const exchange = await t.enroll(enrollment, { ...call, judged: false });
  t.judge.observe(subject, "putCard", `${asked}: ${answer(exchange)}`);
  return exchange;
};

const digitalCardOf = ({ response }: Exchange): unknown =>
  atPointer(response?.json, "/maskedCard/srcDigitalCardId");

/** Changes the last digit of the card number, which is its check digit (ISO/IEC 7812-1, Annex B). */
const withOtherCheckDigit = (enrollment: Enrollment): Enrollment => {
  const number = String(enrollment.card?.primaryAccountNumber);
  const primaryAccountNumber = `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
  return { ...enrollment, card: { ...enrollment.card, primaryAccountNumber } };
};

const answer = (exchange: Exchange): string =>
  isAccepted(exchange) ? `accepted with ${statusOf(exchange)}` : answerOf(exchange);
