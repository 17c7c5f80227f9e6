/** Authentication and partner: tokens for credentials, and the change of a secret. */
import { getOrInsert } from "../../../../helpers/contract/memoize.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf } from "../../found.ts";
import type { Section } from "../../section.ts";
import { LOCKED_AFTER, type Partner } from "../../state/partners.ts";
import { perState, type State } from "../../state/state.ts";
import { PARTNER_STATEFUL_FAULTS } from "./partner-stateful-faults.ts";

/** The secrets that partners had before, for a fault. */
const earlierSecrets = perState(() => new Map<string, Set<string>>());

/** Authenticates a partner. A locked partner stays locked, even with the right secret. */
const signedIn = (state: State, call: Call): Partner => {
  const { partnerId, partnerSecret } = bodyOf(call);
  const given = String(partnerId);
  const taken = [...state.partners.all].find(([right]) => isPartnerTakenFor(given, right, call));
  const partner = state.partners.all.get(given) ?? taken?.[1];
  if (partner === undefined) throw refused("bad-credentials");
  if (partner.failures >= LOCKED_AFTER && !call.faulty("never-locked")) throw refused("locked");
  const isFormer = earlierSecrets(state).get(partner.id)?.has(String(partnerSecret)) === true;
  if (
    partner.secret === partnerSecret ||
    isTaken(call, String(partnerSecret), partner.secret) ||
    call.faulty("any-secret-accepted") ||
    (isFormer && call.faulty("former-secret-accepted"))
  ) {
    partner.failures = 0;
    return partner;
  }
  partner.failures += 1;
  throw refused("bad-credentials");
};

/** Whether a lax comparison takes the partner id for the right one. */
const isPartnerTakenFor = (given: string, right: string, { faulty }: Call): boolean =>
  (faulty("start-of-partner-id-accepted") && right.startsWith(given)) ||
  (faulty("end-of-partner-id-accepted") && right.endsWith(given)) ||
  (faulty("longer-partner-id-accepted") && given.startsWith(right)) ||
  (faulty("partner-id-with-other-middle-accepted") && given.slice(0, 4) === right.slice(0, 4));

/** Whether a lax comparison takes the secret for the right one. */
const isTaken = ({ faulty }: Call, given: string, right: string): boolean =>
  (faulty("secret-in-any-case-accepted") && given.toLowerCase() === right.toLowerCase()) ||
  (faulty("start-of-secret-accepted") && given !== "" && right.startsWith(given)) ||
  (faulty("longer-secret-accepted") && given.startsWith(right)) ||
  (faulty("secret-with-blanks-accepted") && given.trim() === right);

/**
 * Whether the contract states the rules of a secret. If it does, the request has already been validated against them.
 */
const statesRules = ({ operation, validators }: Call): boolean => {
  const body = validators.flatten(operation.requestBody?.content["application/json"] ?? {}, undefined);
  const secret = body.properties?.get("newPartnerSecret");
  return secret !== undefined && validators.flatten(secret, undefined).patterns.length > 0;
};

const isSecret = (value: unknown): boolean =>
  typeof value === "string" &&
  /^[A-Za-z0-9!@#$%&*_+-]{12,255}$/.test(value) &&
  /[0-9]/.test(value) &&
  /[A-Za-z]/.test(value);

const CLASSES = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/];

/** Milliseconds until a token is renewed, in a sandbox that gives the same token again. */
const RENEWED_AFTER = 90 * 60_000;

const tokenFor = ({ partners, clock }: State, call: Call, partner: Partner): string => {
  if (call.differs("newer-token-ends-older")) partners.endTokens(partner);
  const since = clock.now().getTime() - RENEWED_AFTER;
  const known = call.differs("token-given-again") ? partners.tokenSince(partner, since) : undefined;
  return known ?? partners.issue(partner);
};

export const authentication: Section = {
  handlers: {
    CreateToken(state, call) {
      const partner = signedIn(state, call);
      const token = tokenFor(state, call, partner);
      if (call.faulty("token-worthless")) state.partners.tokens.delete(token);
      return success(state, call, { token });
    },
    ModifyPartnerSecret(state, call) {
      const partner = signedIn(state, call);
      const { newPartnerSecret } = bodyOf(call);
      if (!isSecret(newPartnerSecret) && !statesRules(call)) throw refused("invalid-secret");
      const isMixed = CLASSES.every((characters) => characters.test(String(newPartnerSecret)));
      if (!isMixed && call.differs("secret-of-all-classes")) throw refused("invalid-secret");
      if (call.differs("newer-token-ends-older")) state.partners.endTokens(partner);
      getOrInsert(earlierSecrets(state), partner.id, () => new Set()).add(partner.secret);
      if (!call.faulty("secret-unchanged")) partner.secret = String(newPartnerSecret);
      return success(state, call);
    },
  },
  statefulFaults: [PARTNER_STATEFUL_FAULTS],
};
