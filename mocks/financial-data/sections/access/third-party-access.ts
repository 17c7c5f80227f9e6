/** Third-party access: keys to data that a customer shares by consent, and the end of authorizations at institutions. */
import type { Answer } from "../../../engine/call.ts";
import { type Fields, fieldsIn, listIn } from "../../../engine/values/fields.ts";
import { DAY, instantOf } from "../../../engine/values/units.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { accountOf, bodyOf, customerById, owned, partnerOf, pathValue } from "../../found.ts";
import type { Section } from "../../section.ts";
import { ownCustomer } from "../../seed-data.ts";
import { type State, stored } from "../../state/state.ts";

export interface AccessKey {
  readonly receiptId: string;
  readonly partnerId: string;
  /** The fields from the client. */
  fields: Fields;
  /** Milliseconds since 1970. */
  issued: number;
}

/** By receipt id. */
export const accessKeys = stored("access-keys", () => new Map<string, AccessKey>());

const keyIn = (state: State, call: Call): AccessKey =>
  owned(state, call, accessKeys(state).get(pathValue(call, "consentReceiptId")), "unknown-access-key");

const refuseConsent = (state: State, call: Call): void => {
  const { customerId, partnerId, thirdPartyPartnerId, products } = bodyOf(call);
  const customer = customerById(state, call, customerId);
  if (partnerId !== partnerOf(state, call).id) throw refused("unknown-partner");
  if (!state.partners.all.has(String(thirdPartyPartnerId))) throw refused("unknown-third-party");
  for (const { accountId, accessPeriod } of listIn(products).map(fieldsIn)) {
    accountOf(state, customer, accountId);
    const { startTime, endTime } = fieldsIn(accessPeriod);
    if (Date.parse(String(endTime)) < Date.parse(String(startTime))) throw refused("access-period");
  }
};

const receipt = (state: State, call: Call, { receiptId, partnerId, fields, issued }: AccessKey): Answer => {
  const timestamp = new Date(issued).toISOString();
  const { customerId, products, provenance } = fields;
  const receipt = { receiptId, customerId, partnerId, products, provenance, timestamp };
  const proof = {
    signature: state.identifiers.key("access-key", receiptId, issued),
    keyId: state.identifiers.uuid("access-key-signer"),
    timestamp,
  };
  return success(state, call, { data: [{ receipt: receipt, proof }] }, { key: receiptId });
};

/** The lifetime of an authorization in seconds. */
const AUTHORIZED = 365 * DAY;

export const thirdPartyAccess: Section = {
  handlers: {
    GenerateThirdPartyAccessKey(state, call) {
      refuseConsent(state, call);
      const key: AccessKey = {
        receiptId: state.newUuid("consent-receipt"),
        partnerId: partnerOf(state, call).id,
        fields: bodyOf(call),
        issued: state.clock.now().getTime(),
      };
      accessKeys(state).set(key.receiptId, key);
      return receipt(state, call, key);
    },
    UpdateThirdPartyAccessKey(state, call) {
      const key = keyIn(state, call);
      refuseConsent(state, call);
      key.fields = bodyOf(call);
      key.issued = state.clock.now().getTime();
      return receipt(state, call, key);
    },
    RevokeThirdPartyAccessKey(state, call) {
      accessKeys(state).delete(keyIn(state, call).receiptId);
      return success(state, call);
    },
    getCustomerAuthorizationDetails(state, call) {
      const login = state.accounts.logins.get(pathValue(call, "institutionLoginId"));
      const customer = login && state.customers.find(login.customerId);
      if (login === undefined || customer?.partnerId !== partnerOf(state, call).id)
        throw refused("unknown-institution-login");
      if (login.connection === "legacy" && !call.faulty("authorization-of-legacy-connections"))
        throw refused("legacy-connection");
      if (login.marks.has("authorized-before") && !call.differs("old-authorizations-shown"))
        throw refused("details-unavailable");
      const known = {
        institutionLoginId: login.id,
        authorizationStartDate: instantOf(login.created),
        authorizationEndDate: instantOf(login.created + AUTHORIZED),
        ...(login.marks.has("authorized-before") && { note: "The dates are estimated." }),
      };
      return success(state, call, known, { key: login.id });
    },
  },
  situations: {
    /** Arranges a partner to whom a customer can give access. */
    "third-party-partner": (state) => ({
      FINANCIAL_DATA_THIRD_PARTY_PARTNER_ID: state.partners.other.id,
    }),
    /** Arranges an authorization that is older than the storage of authorization details. */
    "old-authorization"(state) {
      const customer = ownCustomer(state, "authorized");
      const { login } = state.accounts.link(customer, state.institutions.test("oauth"), ["checking"]);
      login.marks.add("authorized-before");
      return { FINANCIAL_DATA_CUSTOMER_ID: customer.id, FINANCIAL_DATA_INSTITUTION_LOGIN_ID: login.id };
    },
  },
};
