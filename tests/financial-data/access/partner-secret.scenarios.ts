/** The partner secret: its rules, its change, and the lock after five wrong ones. With the disposable partner alone. */

import { answerTo } from "../../../fixtures/engine/asking.ts";
import { judgeRefused, judgeThat } from "../../../fixtures/engine/verdicts.ts";
import {
  CAPITALS,
  CHANGE,
  change,
  changeTo,
  DIGITS,
  logIn,
  openPartner,
  type Partner,
  proper,
  type Random,
  SMALL,
  SPECIAL,
  secretPointer,
} from "../../../fixtures/financial-data/disposable-partner.ts";
import { LOG_IN } from "../../../fixtures/financial-data/signing-in.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { applyEdit } from "../../../helpers/generate/edit.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

interface Probe {
  readonly requirement: string;
  readonly what: string;
  readonly secret: (random: Random) => string;
}

const WITHIN: readonly Probe[] = [
  {
    requirement: "auth.secret.min-length-12",
    what: "a secret of 12 characters",
    secret: (random) => proper(random, 12),
  },
  {
    requirement: "auth.secret.max-length-255",
    what: "a secret of 255 characters",
    secret: (random) => proper(random, 255),
  },
  {
    requirement: "auth.secret.characters",
    what: "a secret with each special character",
    secret: (random) => `${proper(random, 20)}${SPECIAL}`,
  },
];

const OUTSIDE: readonly Probe[] = [
  {
    requirement: "auth.secret.min-length-12",
    what: "a secret of 11 characters",
    secret: (random) => proper(random, 11),
  },
  {
    requirement: "auth.secret.max-length-255",
    what: "a secret of 256 characters",
    secret: (random) => proper(random, 256),
  },
  {
    requirement: "auth.secret.at-least-one-digit",
    what: "a secret without a digit",
    secret: (random) => `Ab!${random(20, CAPITALS + SMALL)}`,
  },
  {
    requirement: "auth.secret.at-least-one-letter",
    what: "a secret without a letter",
    secret: (random) => `7!${random(20, DIGITS)}`,
  },
  ...[..." (^~é"].map((foreign) => ({
    requirement: "auth.secret.characters",
    what: `a secret with the character ${JSON.stringify(foreign)}`,
    secret: (random: Random) => `${proper(random, 12)}${foreign}${proper(random, 12)}`,
  })),
];

export const partnerSecretScenarios: readonly Trial[] = [
  scenario(
    {
      id: "partner-secret/life",
      title: "the secret is changed by its rules, and five wrong ones lock the account",
      section: "Authentication",
      operations: [CHANGE, LOG_IN],
      requirements: [
        "ModifyPartnerSecret.success",
        "ModifyPartnerSecret.documented-statuses",
        "ModifyPartnerSecret.request-body",
        "ModifyPartnerSecret.request.shape",
        "auth.ModifyPartnerSecret.app-key-only",
        "auth.secret.changed-with-put",
        "auth.secret.characters",
        "auth.secret.at-least-one-digit",
        "auth.secret.at-least-one-letter",
        "auth.secret.min-length-12",
        "auth.secret.max-length-255",
        "errors.401-bad-credentials",
        "auth.lockout-after-five",
      ],
    },
    async (context) => {
      const partner = await openPartner(context);
      try {
        await changeOnce(context, partner);
        for (const probe of WITHIN) await tryWithin(context, partner, probe);
        for (const probe of OUTSIDE) await tryOutside(context, partner, probe);
        await tryShapes(context, partner);
      } finally {
        await restore(context, partner);
      }
      // Last of all, as nothing may unlock it again.
      await lock(context, partner);
    },
  ),
];

const changeOnce = async (context: TrialContext, partner: Partner): Promise<void> => {
  const exchange = await change(context, partner, proper(partner.random, 24));
  const status = statusOf(exchange);
  const wording = { message: "the change to a proper secret was refused", expected: "204" };
  const sure = isAccepted(exchange) || context.target.embedded;
  if (sure) {
    judgeThat(context, "ModifyPartnerSecret.success", status === 204, [exchange], wording);
    // Sent without a token: what refuses it as unauthorized asks for one.
    if (isAccepted(exchange) || status === 401) {
      judgeThat(context, "auth.ModifyPartnerSecret.app-key-only", isAccepted(exchange), [exchange], wording);
    }
    if (status !== 401)
      judgeThat(context, "ModifyPartnerSecret.request-body", isAccepted(exchange), [exchange], wording);
  }
  if (!isAccepted(exchange)) throw new NotTried(`${CHANGE} refused a proper secret with ${status}`);
  await expectLogIn(context, partner, exchange);
};

/** @throws NotTried when the new secret does not serve, as nothing can be shown then */
const expectLogIn = async (context: TrialContext, partner: Partner, changed: Exchange): Promise<void> => {
  const exchange = await logIn(context, partner, partner.current);
  judgeThat(context, "auth.secret.changed-with-put", isAccepted(exchange), [exchange, changed], {
    message: "after the change the new secret is refused",
    expected: "a token",
  });
  if (isAccepted(exchange)) return;
  partner.current = partner.original;
  throw new NotTried(`the new secret was refused with ${statusOf(exchange)} after ${CHANGE} accepted it`);
};

const tryWithin = async (
  context: TrialContext,
  partner: Partner,
  { requirement, what, secret }: Probe,
): Promise<void> => {
  const exchange = await change(context, partner, secret(partner.random));
  const holds = isAccepted(exchange);
  judgeThat(context, requirement, holds, [exchange], { message: `${what} was refused`, expected: "204" });
  if (holds) await expectLogIn(context, partner, exchange);
};

const tryOutside = async (
  context: TrialContext,
  partner: Partner,
  { requirement, what, secret }: Probe,
): Promise<void> => {
  const probe = await change(context, partner, secret(partner.random));
  const twin = await change(context, partner, proper(partner.random, 24));
  judgeRefused(context, requirement, what, [probe, twin], [400]);
};

const tryShapes = async (context: TrialContext, partner: Partner): Promise<void> => {
  const twin = await changeTo(context, partner, proper(partner.random, 24));
  const probes = [[], {}, "secret", applyEdit(twin.json, { pointer: secretPointer(context), remove: true })];
  const refusals: Exchange[] = [];
  for (const json of probes) refusals.push(await answerTo(context, { ...twin, json }));
  const accepted = await change(context, partner, proper(partner.random, 24));
  for (const refusal of refusals) {
    const what = "a body of another shape";
    judgeRefused(context, "ModifyPartnerSecret.request.shape", what, [refusal, accepted], [400]);
  }
};

const restore = async (context: TrialContext, partner: Partner): Promise<void> => {
  if (partner.current === partner.original) return;
  const exchange = await change(context, partner, partner.original);
  if (isAccepted(exchange)) return;
  const observed = `the configured secret could not be restored (${statusOf(exchange)}): set a new disposable partner`;
  context.judge.observe("effect of a new token or secret on older tokens", CHANGE, observed);
};

const FAILURES_BEFORE_LOCK = 5;

/** That only the right secret serves to change it, no document says: its status alone is judged. */
const changeWithWrongSecret = async (context: TrialContext, partner: Partner): Promise<void> => {
  const wrong = { ...partner, current: proper(partner.random, 22) };
  const exchange = await change(context, wrong, proper(partner.random, 24));
  if (isAccepted(exchange)) partner.current = wrong.current;
};

const lock = async (context: TrialContext, partner: Partner): Promise<void> => {
  if (!context.target.permissions.locking)
    throw new NotTried("needs permission: ALLOW_LOCKING allows to lock the disposable partner");
  const before = await logIn(context, partner, partner.current);
  if (!isAccepted(before))
    throw new NotTried(`the disposable partner is refused with ${statusOf(before)} before any wrong secret`);
  await changeWithWrongSecret(context, partner);
  for (let count = 0; count < FAILURES_BEFORE_LOCK; count++) {
    const failure = await logIn(context, partner, proper(partner.random, 20));
    // A lock may come early where failures before this run count.
    if (count === 0)
      judgeRefused(context, "errors.401-bad-credentials", "a wrong secret", [failure, before], [401]);
  }
  const after = await logIn(context, partner, partner.current);
  // What a locked account is answered is open, but that it is refused.
  judgeThat(context, "auth.lockout-after-five", !isAccepted(after), [after, before], {
    message: "after five wrong secrets the right one is accepted",
    expected: "refused",
  });
};
