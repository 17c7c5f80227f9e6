/**
 * The partner secret: its rules, its change, and the lock after five wrong ones. Only the disposable partner, which a
 * test may lock, gets a new or a wrong secret.
 */
import {
  CAPITALS,
  CHANGE,
  DIGITS,
  type Partner,
  proper,
  type Random,
  SHORTEST,
  SMALL,
  SPECIAL,
} from "../../../fixtures/financial-data/disposable-partner.ts";
import { LOG_IN } from "../../../fixtures/financial-data/signing-in.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { applyEdit } from "../../../helpers/generate/edit.ts";
import { isInterruption } from "../../../helpers/trials/endurance.ts";
import {
  BLANKS,
  CREDENTIAL_SLIPS,
  similarTo,
} from "../../../helpers/trials/from-contract/similar-credentials.ts";
import { type Exchange, isAccepted, NotTried, statusOf } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Authentication");

const LONGEST = "auth.secret.max-length-255";
const CHARACTERS = "auth.secret.characters";
const HAS_DIGIT = "auth.secret.at-least-one-digit";
const HAS_LETTER = "auth.secret.at-least-one-letter";

interface Probe {
  readonly requirement: string;
  readonly what: string;
  readonly secret: (random: Random) => string;
}

const WITHIN: readonly Probe[] = [
  { requirement: SHORTEST, what: "a secret of 12 characters", secret: (random) => proper(random, 12) },
  { requirement: LONGEST, what: "a secret of 255 characters", secret: (random) => proper(random, 255) },
  {
    requirement: CHARACTERS,
    what: "a secret with each special character",
    secret: (random) => `${proper(random, 20)}${SPECIAL}`,
  },
];

const OUTSIDE: readonly Probe[] = [
  { requirement: SHORTEST, what: "a secret of 11 characters", secret: (random) => proper(random, 11) },
  { requirement: LONGEST, what: "a secret of 256 characters", secret: (random) => proper(random, 256) },
  {
    requirement: HAS_DIGIT,
    what: "a secret without a digit",
    secret: (random) => `Ab!${random(20, CAPITALS + SMALL)}`,
  },
  {
    requirement: HAS_LETTER,
    what: "a secret without a letter",
    secret: (random) => `7!${random(20, DIGITS)}`,
  },
  ...[..." (^~é"].map((foreign) => ({
    requirement: CHARACTERS,
    what: `a secret with the character ${JSON.stringify(foreign)}`,
    secret: (random: Random) => `${proper(random, 12)}${foreign}${proper(random, 12)}`,
  })),
];

export const partnerSecretScenarios = [
  scenario("partner-secret/life", {
    title: "the secret is changed according to its rules, and five wrong secrets lock the account",
    operations: [CHANGE, LOG_IN],
    requirements: [
      ...["ModifyPartnerSecret.success", "ModifyPartnerSecret.documented-statuses"],
      ...["ModifyPartnerSecret.request-body", "ModifyPartnerSecret.request.shape"],
      ...["auth.ModifyPartnerSecret.app-key-only", "auth.secret.changed-with-put", CHARACTERS, HAS_DIGIT],
      ...[HAS_LETTER, SHORTEST, LONGEST, "errors.401-bad-credentials", "auth.lockout-after-five"],
    ],
    async run(t) {
      const partner = await t.openPartner();
      try {
        await changeOnce(t, partner);
        for (const probe of WITHIN) await tryWithin(t, partner, probe);
        for (const probe of OUTSIDE) await tryOutside(t, partner, probe);
        await tryShapes(t, partner);
      } finally {
        await t.restoreSecret(partner);
      }
      // The lock is last, because it may be impossible to unlock the account.
      await lock(t, partner);
    },
  }),
];

/** Logs in with a wrong secret. After a 429, it tries once more, because a server that limits requests counts no failure. */
const failToLogIn = async (t: T, partner: Partner, secret: string): Promise<Exchange> => {
  const failure = await t.logInOnce(partner, secret);
  return isInterruption(failure) ? t.logInOnce(partner, secret) : failure;
};

const changeOnce = async (t: T, partner: Partner): Promise<void> => {
  const exchange = await t.changeSecret(partner, proper(partner.random, 24));
  const status = statusOf(exchange);
  const wording = { message: "the change to a valid secret was refused", expected: "204" };
  const sure = isAccepted(exchange) || t.target.embedded;
  if (sure) {
    t.judgeThat("ModifyPartnerSecret.success", status === 204, [exchange], wording);
    // The call was sent without a token: a 401 means that the server requires one.
    if (isAccepted(exchange) || status === 401) {
      t.judgeThat("auth.ModifyPartnerSecret.app-key-only", isAccepted(exchange), [exchange], wording);
    }
    if (status !== 401)
      t.judgeThat("ModifyPartnerSecret.request-body", isAccepted(exchange), [exchange], wording);
  }
  if (!isAccepted(exchange)) throw new NotTried("refused", CHANGE, "a proper secret", status);
  await expectLogIn(t, partner, exchange);
  await expectRefusal(t, partner, exchange);
};

/** Judges that the former secret is refused. A change may show late. This is one failed log-in of the five. */
const expectRefusal = async (t: T, partner: Partner, changed: Exchange): Promise<void> => {
  const former = await t.readUntil(
    () => t.logIn(partner, partner.original),
    (exchange) => !isAccepted(exchange),
  );
  t.judgeThat("auth.secret.changed-with-put", !isAccepted(former), [former, changed], {
    message: "the former secret is still accepted after the change",
    expected: "refused",
  });
};

/** A log-in that is refused counts as a failure, and five failures lock the account. */
const ONCE_MORE = { everySeconds: 2, limitSeconds: 2 };

/** @throws NotTried when the new secret does not work, because then nothing can be proved */
const expectLogIn = async (t: T, partner: Partner, changed: Exchange): Promise<void> => {
  const exchange = await t.readUntil(() => t.logIn(partner, partner.current), isAccepted, ONCE_MORE);
  t.judgeThat("auth.secret.changed-with-put", isAccepted(exchange), [exchange, changed], {
    message: "the new secret is refused after the change",
    expected: "a token",
  });
  if (isAccepted(exchange)) return;
  partner.current = partner.original;
  throw new NotTried("not-arranged", `the accepted secret was refused with ${statusOf(exchange)}`);
};

const tryWithin = async (t: T, partner: Partner, { requirement, what, secret }: Probe): Promise<void> => {
  const exchange = await t.changeSecret(partner, secret(partner.random));
  const holds = isAccepted(exchange);
  t.judgeThat(requirement, holds, [exchange], { message: `${what} was refused`, expected: "204" });
  if (holds) await expectLogIn(t, partner, exchange);
};

const tryOutside = async (t: T, partner: Partner, { requirement, what, secret }: Probe): Promise<void> => {
  const probe = await t.changeSecret(partner, secret(partner.random));
  const control = await t.changeSecret(partner, proper(partner.random, 24));
  t.judgeRefused(requirement, what, [probe, control], [400]);
};

const tryShapes = async (t: T, partner: Partner): Promise<void> => {
  const control = await t.secretChange(partner, proper(partner.random, 24));
  const probes = [[], {}, "secret", applyEdit(control.json, { pointer: t.secretPointer(), remove: true })];
  const refusals: Exchange[] = [];
  for (const json of probes) refusals.push(await t.answerTo({ ...control, json }));
  const accepted = await t.changeSecret(partner, proper(partner.random, 24));
  for (const refusal of refusals) {
    const what = "a body of the wrong shape";
    t.judgeRefused("ModifyPartnerSecret.request.shape", what, [refusal, accepted], [400]);
  }
};

const FAILURES_BEFORE_LOCK = 5;

/** Returns as many wrong secrets as lock the account. All but the first are similar to the right one. */
const wrongSecrets = (
  t: T,
  { current, random }: Partner,
): { readonly what: string; readonly value: string }[] => {
  const similar = similarTo(current, [BLANKS, ...CREDENTIAL_SLIPS]);
  for (const { value } of similar) t.learn(value, "similar-secret");
  return [
    { what: "a wrong secret", value: proper(random, 20) },
    ...similar.map(({ what, value }) => ({ what: `the secret ${what}`, value })),
  ].slice(0, FAILURES_BEFORE_LOCK);
};

/**
 * Sends a change with a wrong current secret. No document requires that it is refused, so only its status is judged.
 */
const changeWithWrongSecret = async (t: T, partner: Partner): Promise<void> => {
  const wrong = { ...partner, current: proper(partner.random, 22) };
  const exchange = await t.changeSecret(wrong, proper(partner.random, 24));
  if (isAccepted(exchange)) partner.current = wrong.current;
};

const lock = async (t: T, partner: Partner): Promise<void> => {
  if (!t.target.permissions.locking)
    throw new NotTried("lacks-permission", "ALLOW_LOCKING=true allows locking the disposable partner");
  const before = await t.logIn(partner, partner.current);
  if (!isAccepted(before))
    throw new NotTried("not-arranged", `the right secret is refused with ${statusOf(before)}`);
  await changeWithWrongSecret(t, partner);
  for (const [count, { what, value }] of wrongSecrets(t, partner).entries()) {
    const failure = await failToLogIn(t, partner, value);
    // The account may lock early if failures before this run count. Then only an accepted secret is wrong.
    if ((count === 0 && !isInterruption(failure)) || isAccepted(failure))
      t.judgeRefused("errors.401-bad-credentials", what, [failure, before], [401]);
    if (isAccepted(failure))
      throw new NotTried("not-arranged", `${what} was accepted, so that there were not five failures`);
  }
  const after = await t.logInOnce(partner, partner.current);
  // The documents state that a locked account is refused, but not with which status.
  t.judgeThat("auth.lockout-after-five", !isAccepted(after), [after, before], {
    message: "the right secret is accepted after five wrong ones",
    expected: "refused",
  });
};
