/** Third-party access: keys to what a customer consented to, and how long an institution lets us in. */

import type { Answer } from "../../../engine/service.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { DAY, instantOf } from "../../../engine/values/units.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { accountOf, bodyOf, customerById, owned, partnerOf, pathValue } from "../../found.ts";
import { ownCustomer } from "../../furnish.ts";
import type { Section } from "../../section.ts";
import { perWorld, type World } from "../../world/world.ts";

interface AccessKey {
  readonly receiptId: string;
  readonly partnerId: string;
  /** As the client gave them. */
  fields: Fields;
  /** Milliseconds since 1970. */
  issued: number;
}

/** By receipt id. */
const accessKeys = perWorld(() => new Map<string, AccessKey>());

const keyIn = (world: World, call: Call): AccessKey =>
  owned(world, call, accessKeys(world).get(pathValue(call, "consentReceiptId")), "unknown-access-key");

interface Product {
  readonly accountId?: unknown;
  readonly accessPeriod?: { readonly startTime?: unknown; readonly endTime?: unknown };
}

const refuseConsent = (world: World, call: Call): void => {
  const { customerId, partnerId, thirdPartyPartnerId, products } = bodyOf(call);
  const customer = customerById(world, call, customerId);
  if (partnerId !== partnerOf(world, call).id) throw refused("unknown-partner");
  if (!world.partners.all.has(String(thirdPartyPartnerId))) throw refused("unknown-third-party");
  for (const { accountId, accessPeriod } of (products ?? []) as readonly Product[]) {
    accountOf(world, customer, accountId);
    const { startTime, endTime } = accessPeriod ?? {};
    if (Date.parse(String(endTime)) < Date.parse(String(startTime))) throw refused("access-period");
  }
};

const receipt = (world: World, call: Call, { receiptId, partnerId, fields, issued }: AccessKey): Answer => {
  const timestamp = new Date(issued).toISOString();
  const { customerId, products, provenance } = fields;
  const told = { receiptId, customerId, partnerId, products, provenance, timestamp };
  const proof = {
    signature: world.identifiers.key("access-key", receiptId, issued),
    keyId: world.identifiers.uuid("access-key-signer"),
    timestamp,
  };
  return success(world, call, { data: [{ receipt: told, proof }] }, { key: receiptId });
};

/** Seconds that an authorization lasts. */
const AUTHORIZED = 365 * DAY;

export const thirdPartyAccess: Section = {
  handlers: {
    GenerateThirdPartyAccessKey(world, call) {
      refuseConsent(world, call);
      const key: AccessKey = {
        receiptId: world.newUuid("consent-receipt"),
        partnerId: partnerOf(world, call).id,
        fields: bodyOf(call),
        issued: world.clock.now().getTime(),
      };
      accessKeys(world).set(key.receiptId, key);
      return receipt(world, call, key);
    },
    UpdateThirdPartyAccessKey(world, call) {
      const key = keyIn(world, call);
      refuseConsent(world, call);
      key.fields = bodyOf(call);
      key.issued = world.clock.now().getTime();
      return receipt(world, call, key);
    },
    RevokeThirdPartyAccessKey(world, call) {
      accessKeys(world).delete(keyIn(world, call).receiptId);
      return success(world, call);
    },
    getCustomerAuthorizationDetails(world, call) {
      const login = world.accounts.logins.get(pathValue(call, "institutionLoginId"));
      const customer = login && world.customers.find(login.customerId);
      if (login === undefined || customer?.partnerId !== partnerOf(world, call).id)
        throw refused("unknown-institution-login");
      if (login.connection === "legacy" && !call.bent("authorization-of-legacy-connections"))
        throw refused("legacy-connection");
      if (login.marks.has("authorized-before")) throw refused("details-unavailable");
      const known = {
        institutionLoginId: login.id,
        authorizationStartDate: instantOf(login.created),
        authorizationEndDate: instantOf(login.created + AUTHORIZED),
      };
      return success(world, call, known, { key: login.id });
    },
  },
  situations: {
    /** A partner to whom a customer can give access. */
    "third-party-partner": (world) => ({
      FINANCIAL_DATA_THIRD_PARTY_PARTNER_ID: world.partners.other.id,
    }),
    /** An access that was granted before such details were kept. */
    "old-authorization"(world) {
      const customer = ownCustomer(world, "authorized");
      const { login } = world.accounts.link(customer, world.institutions.test("oauth"), ["checking"]);
      login.marks.add("authorized-before");
      return { FINANCIAL_DATA_CUSTOMER_ID: customer.id, FINANCIAL_DATA_INSTITUTION_LOGIN_ID: login.id };
    },
  },
};
