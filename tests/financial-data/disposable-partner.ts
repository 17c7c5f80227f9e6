/** The partner that a test may give another secret and lock, and secrets for it. No other account gets a wrong one. */
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { applyEdit } from "../../helpers/generate/edit.ts";
import type { Arranger } from "../../helpers/trials/arrange.ts";
import { type Call, NotTried, type TrialContext } from "../../helpers/trials/trial.ts";
import { answerTo, having, validCall } from "./asking.ts";
import { disposablePartner } from "./signing-in.ts";
import { id } from "./trial.ts";

export const CHANGE = "ModifyPartnerSecret";
export const LOG_IN = "CreateToken";

export interface Partner {
  readonly arrange: Arranger;
  readonly original: string;
  /** What the account has now, as far as the answers tell. */
  current: string;
  readonly random: Random;
}

/** Nothing is sent before it is sure that the account is one to be spent. */
export const openPartner = async (context: TrialContext): Promise<Partner> => {
  const arrange = await disposablePartner(context);
  if (arrange === undefined)
    throw new NotTried("needs disposable-partner: set FINANCIAL_DATA_DISPOSABLE_PARTNER_ID and its secret");
  const main = await context.arrange.get("partner");
  const { target } = context;
  if ("value" in main && main.value === (await arrange.need("partner"))) {
    throw new NotTried("the disposable partner is the one that this run signs in with: set another");
  }
  if (!target.permissions.destructive)
    throw new NotTried(
      "needs permission: ALLOW_DESTRUCTIVE allows to change the secret of the disposable partner",
    );
  const original = await arrange.need("partner-secret");
  const partner = { arrange, original, current: original, random: randomOf(context.seed) };
  const exchange = await logIn(context, partner, original);
  if (statusOf(exchange) === 401 && !target.embedded) {
    throw new NotTried("the disposable partner can't sign in: it is locked, or its secret is another");
  }
  return partner;
};

export const logIn = async (context: TrialContext, partner: Partner, secret: string): Promise<Exchange> => {
  const arrange = having(partner.arrange, { "partner-secret": secret });
  return answerTo(context, await validCall(context, LOG_IN, arrange));
};

/** A secret that was taken is the one that the account has */
export const change = async (context: TrialContext, partner: Partner, secret: string): Promise<Exchange> => {
  const exchange = await answerTo(context, await changeTo(context, partner, secret));
  if (isAccepted(exchange)) partner.current = secret;
  return exchange;
};

export const changeTo = async (context: TrialContext, partner: Partner, secret: string): Promise<Call> => {
  const arrange = having(partner.arrange, {
    "disposable-partner": await partner.arrange.need("partner"),
    "disposable-partner-secret": partner.current,
  });
  const call = await validCall(context, CHANGE, arrange);
  // It may serve from now on, whatever the answer says.
  context.learn(secret, "NEW_PARTNER_SECRET");
  return { ...call, json: applyEdit(call.json, { pointer: secretPointer(context), value: secret }) };
};

/** The rules of the new secret say where in the body it stands. */
export const secretPointer = ({ contract }: TrialContext): string => {
  const rule = contract.rules.find(({ requirement }) => requirement === id("auth.secret.min-length-12"));
  return rule?.pointer ?? "/newPartnerSecret";
};

export const SPECIAL = "!@#$%&*_-+";
export const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const SMALL = CAPITALS.toLowerCase();
export const DIGITS = "0123456789";

export type Random = (length: number, from: string) => string;

/** Secrets of all classes, of a length from 12 to 255. */
export const proper = (random: Random, length: number): string =>
  `A${random(length - 4, CAPITALS + SMALL + DIGITS + SPECIAL)}b7!`;

/** The same secrets for the same seed. */
const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
  return (length, from) => Array.from({ length }, () => from.charAt(next(from.length))).join("");
};
