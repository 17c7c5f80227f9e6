/** Authentication: tokens for the partner id and secret, and their lifetime. See partner-secret.scenarios.ts too. */
import { PROBE, refusalOf } from "../../../fixtures/financial-data/signing-in.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import {
  BLANKS,
  CREDENTIAL_SLIPS,
  similarTo,
} from "../../../helpers/trials/from-contract/similar-credentials.ts";
import { type Exchange, isAccepted, NotTried, statusOf } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Authentication");
const HOUR = 3600;

export const authenticationScenarios = [
  scenario("authentication/token", {
    title: "the partner id and secret return a token that other calls accept",
    operations: ["CreateToken"],
    requirements: [
      ...["CreateToken.success", "CreateToken.documented-statuses", "CreateToken.response.shape"],
      ...["CreateToken.request-body", "CreateToken.returns-token", "auth.CreateToken.app-key-only"],
      "auth.token-from-id-and-secret",
    ],
    async run(t) {
      const { exchange, candidates } = await t.signIn();
      judgeSignIn(t, exchange);
      if (!isAccepted(exchange)) throw refusalOf(exchange);
      t.leaveRestUntried("CreateToken.response.shape", "not-arranged", "the answer carried no JSON body");
      t.judgeSeen("CreateToken.returns-token", candidates.length > 0, [exchange], {
        message: "CreateToken answered without a token",
        expected: "a token in the body",
        actual: "no text of at least 8 characters",
      });
      const tries = [];
      for (const token of candidates) tries.push(await t.send(t.withToken(token)));
      const opened = tries.find(isAccepted);
      const shown = opened ?? tries.find((tried) => statusOf(tried) === 401);
      if (shown === undefined)
        throw new NotTried("not-arranged", `${PROBE} refuses for another reason than the token`);
      t.judgeSeen("auth.token-from-id-and-secret", opened !== undefined, [shown, exchange], {
        message: "the token that CreateToken returned is not accepted",
        expected: `${PROBE} accepts it`,
      });
      // A server that answers everything with success needs neither key nor token.
      if (opened !== undefined) t.pass("auth.CreateToken.app-key-only", [exchange, opened]);
    },
  }),

  scenario("authentication/unreadable-credentials", {
    title: "a sign-in body of the wrong shape is a bad request",
    operations: ["CreateToken"],
    requirements: ["CreateToken.request.shape"],
    async run(t) {
      // These bodies name no account, so they can't lock one.
      const { call, exchange: control } = await t.signIn();
      for (const json of [[], {}, "credentials", [call.json]]) {
        const refusal = await t.answerTo({ ...call, json });
        const what = "a sign-in body of the wrong shape";
        t.judgeRefused("CreateToken.request.shape", what, [refusal, control], [400]);
      }
    },
  }),

  scenario("authentication/unknown-partner", {
    title: "credentials of an unknown partner are answered with 401",
    operations: ["CreateToken"],
    requirements: ["errors.401-bad-credentials"],
    async run(t) {
      const { call, exchange: control } = await t.signIn();
      const known = await t.arrange.need("partner");
      const unknown = { partner: unknownPartnerLike(known), "partner-secret": "Nobody-knows-1t!" };
      const refusal = await t.answered(call.operationId, unknown);
      t.judgeRefused("errors.401-bad-credentials", "an unknown partner", [refusal, control], [401]);
      for (const { what, value } of similarTo(known, [BLANKS, ...CREDENTIAL_SLIPS])) {
        // A server may read identifiers as numbers.
        if (Number(value) === Number(known)) continue;
        const id = `the partner id ${what}`;
        const probe = await t.answered(call.operationId, { partner: value }, { tries: id });
        t.judgeRefused("errors.401-bad-credentials", id, [probe, control], REFUSED_PARTNER);
      }
    },
  }),

  scenario("authentication/token-life", {
    title: "a token is valid for two hours",
    operations: ["CreateToken", PROBE],
    requirements: ["auth.token-valid-two-hours", "auth.token-expires-after-two-hours"],
    async run(t) {
      if (!t.capabilities.has("clock"))
        throw new NotTried("lacks-clock", "the run does not wait for two hours");
      // A server may return a token again while it is valid. After this time, every token is new.
      await t.clock.pass(2 * HOUR + 60);
      const token = await t.workingToken();
      await t.clock.pass(2 * HOUR - 60);
      const before = await t.send(t.withToken(token));
      // The session has a new token by now.
      const control = await t.answered(PROBE);
      if (!isAccepted(control))
        throw new NotTried("not-arranged", `${PROBE} is refused with a new token, too`);
      t.judgeThat("auth.token-valid-two-hours", isAccepted(before), [before, control], {
        message: "a token was refused one minute before it was two hours old",
        expected: "accepted",
      });
      await t.clock.pass(120);
      const after = await t.send(t.withToken(token));
      const what = "a token older than two hours";
      t.judgeRefused("auth.token-expires-after-two-hours", what, [after, control], [401]);
    },
  }),
];

/** Judges the sign-in. Only the embedded sandbox can fail: elsewhere the configured credentials may be wrong. */
const judgeSignIn = (t: T, exchange: Exchange): void => {
  const status = statusOf(exchange);
  const breaks = {
    "CreateToken.success": true,
    "CreateToken.request-body": status !== 401,
    "auth.CreateToken.app-key-only": status === 401 || status === 403,
  };
  const requirements = Object.keys(breaks) as (keyof typeof breaks)[];
  if (isAccepted(exchange)) t.pass(["CreateToken.success", "CreateToken.request-body"], [exchange]);
  else if (t.target.embedded) {
    const broken = requirements.filter((requirement) => breaks[requirement]);
    const wording = { message: "correct credentials were refused", expected: "200" };
    t.judgeThat(broken, false, [exchange], wording);
  }
};

/** A partner id of another form may be a bad request. */
const REFUSED_PARTNER = [400, 401];

/** Returns a partner id of the same form with other digits. */
const unknownPartnerLike = (known: string): string => {
  const other = known.replace(/\d/g, (digit, at: number) => String((Number(digit) + 3 + (at % 5)) % 10));
  return other === known ? `${known}-nobody` : other;
};
