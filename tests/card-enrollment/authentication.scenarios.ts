/** Authentication: calls whose API key in x-openapi-clientid is absent, unknown, or of an unvalidated origin. */
import { answerOf } from "../../fixtures/card-enrollment/blame.ts";
import type { Enrollment } from "../../fixtures/card-enrollment/enrollment.ts";
import { id } from "../../fixtures/card-enrollment/ids.ts";
import { scenariosIn, type T } from "../../fixtures/card-enrollment/trial.ts";
import { checkRefused } from "../../helpers/checks/refusal.ts";
import { similarTo } from "../../helpers/trials/from-contract/similar-credentials.ts";
import { type Exchange, isAccepted, NotTried, statusOf } from "../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Authentication");
const FAILED_CHECK = "auth.401-on-failed-check";
const ANSWERS_403 = "the server answers an unknown key with 403, which the document allows as well";

export const authenticationScenarios = [
  scenario("authentication/absent-key", {
    title: "a call without a key is refused",
    requirements: ["header.x-openapi-clientid.required", "auth.whole-interface"],
    async run(t) {
      for (const sample of await t.acceptableByEach(3)) {
        const [refusal, control] = await probe(t, sample, null);
        // The document does not assign a status to an absent header (gaps: 401 or 403 or 400 for header problems).
        const what = { what: "a call without x-openapi-clientid", pointer: "x-openapi-clientid" };
        const result = checkRefused(what, refusal, control, [400, 401, 403]);
        if (result === undefined) continue;
        t.record(["header.x-openapi-clientid.required", "auth.whole-interface"], result, [refusal, control]);
        const subject = "401 or 403 or 400 for header problems";
        t.judge.observe(subject, "putCard", `absent key: ${answerOf(refusal)}`);
      }
    },
  }),

  scenario("authentication/unknown-key", {
    title: "a call with an unknown key is refused",
    requirements: ["auth.api-key-in-header", FAILED_CHECK, "response.401.error-body"],
    async run(t) {
      for (const sample of await t.acceptableByEach(3)) {
        const [refusal, control] = await probe(t, sample, `unknown-key-${t.seed >>> 0}`);
        const what = { what: "an unknown key", pointer: "x-openapi-clientid" };
        const refused = checkRefused(what, refusal, control, [400, 401, 403]);
        if (refused === undefined) continue;
        t.record("auth.api-key-in-header", refused, [refusal, control]);
        if (statusOf(refusal) === 403) await judgeAbsentKey(t, sample, control);
        else {
          const result = checkRefused(what, refusal, control, [401]);
          t.record(FAILED_CHECK, result, [refusal, control]);
        }
      }
      await trySimilarKeys(t);
      if (t.judge.hasVerdict(id("auth.api-key-in-header")))
        t.leaveRestUntried("response.401.error-body", "not-shown", "no call was answered with 401");
    },
  }),

  scenario("authentication/unvalidated-origin", {
    title: "a key whose client identity is not validated is answered with 403",
    requirements: ["auth.403-on-unvalidated-origin", "response.403.error-body"],
    async run(t) {
      const key = t.target.values.CARD_ENROLLMENT_UNVALIDATED_API_KEY;
      if (key === undefined) {
        throw new NotTried("lacks-setting", "unvalidated-api-key", "CARD_ENROLLMENT_UNVALIDATED_API_KEY");
      }
      for (const sample of await t.acceptableByEach(3)) {
        const [refusal, control] = await probe(t, sample, key);
        const what = { what: "a key whose client identity is not validated", pointer: "x-openapi-clientid" };
        const result = checkRefused(what, refusal, control, [403]);
        t.record("auth.403-on-unvalidated-origin", result, [refusal, control]);
      }
      t.leaveRestUntried("response.403.error-body", "not-shown", "no call was answered with 403");
    },
  }),
];

/** Tries keys that differ from the right one in one thing, each with the same call. */
const trySimilarKeys = async (t: T): Promise<void> => {
  const [sample] = await t.acceptableByEach(1);
  if (sample === undefined) return;
  const control = await t.enroll(sample);
  for (const { what, value } of similarTo(control.request.headers["x-openapi-clientid"] ?? "")) {
    t.learn(value, "similar-key");
    const wording = { what: `a call with the key ${what}`, pointer: "x-openapi-clientid" };
    const headers = { "x-openapi-clientid": value };
    const probed = await t.enroll(sample, { headers, tries: wording.what });
    t.record("auth.api-key-in-header", checkRefused(wording, probed, control, [400, 401, 403]), [
      probed,
      control,
    ]);
  }
};

/** Judges the failed check of a call without a key, for a server that answers an unknown key with 403. */
const judgeAbsentKey = async (t: T, sample: Enrollment, control: Exchange): Promise<void> => {
  const refusal = await t.enroll(sample, { headers: { "x-openapi-clientid": null } });
  if (statusOf(refusal) === 401) t.pass(FAILED_CHECK, [refusal, control]);
  else t.leaveUntried(FAILED_CHECK, "permitted", ANSWERS_403);
};

/** Sends the call with another key, or without one, and then its control with the right key. */
const probe = async (
  t: T,
  sample: Enrollment,
  key: string | null,
): Promise<[refusal: Exchange, control: Exchange]> => {
  const refusal = await t.enroll(sample, { headers: { "x-openapi-clientid": key } });
  const control = await t.enroll(sample);
  if (!isAccepted(refusal) && !isAccepted(control)) return [refusal, await t.enroll(sample)];
  return [refusal, control];
};
