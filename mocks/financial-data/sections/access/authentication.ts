/** Authentication and partner: tokens for credentials, and the change of a secret. */

import { refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { bodyOf } from "../../found.ts";
import type { Section } from "../../section.ts";
import { LOCKED_AFTER, type Partner } from "../../world/partners.ts";
import type { World } from "../../world/world.ts";
import { PARTNER_TWISTS } from "./partner-twists.ts";

/** A partner that is locked stays so, whatever it sends. */
const signedIn = (world: World, call: Call): Partner => {
  const { partnerId, partnerSecret } = bodyOf(call);
  const partner = world.partners.all.get(String(partnerId));
  if (partner === undefined) throw refused("bad-credentials");
  if (partner.failures >= LOCKED_AFTER && !call.bent("never-locked")) throw refused("locked");
  if (partner.secret === partnerSecret || call.bent("any-secret-accepted")) {
    partner.failures = 0;
    return partner;
  }
  partner.failures += 1;
  throw refused("bad-credentials");
};

/** Where the contract in use states the rules, the request was held against them already. */
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

export const authentication: Section = {
  handlers: {
    CreateToken(world, call) {
      const partner = signedIn(world, call);
      const token = world.partners.issue(partner);
      if (call.bent("token-worthless")) world.partners.tokens.delete(token);
      return success(world, call, { token });
    },
    ModifyPartnerSecret(world, call) {
      const partner = signedIn(world, call);
      const { newPartnerSecret } = bodyOf(call);
      if (!isSecret(newPartnerSecret) && !statesRules(call)) throw refused("invalid-secret");
      if (!call.bent("secret-unchanged")) partner.secret = String(newPartnerSecret);
      return success(world, call);
    },
  },
  twists: [PARTNER_TWISTS],
};
