/** Permitted differences of the server as a whole: its statuses, names, limits and credentials. */
import type { Which } from "../engine/deviations/deviation.ts";
import { edited, header, permitted, served, status } from "../engine/deviations/rows.ts";

const READ_PLAN = { operationId: "getPlan", status: 200 };
const READ_APPROVAL = { operationId: "getPlanApprovalStatus", status: 200 };
const LISTED = { operationId: "getMerchantParticipations", status: 200 };
const FOUND = { operationId: "postMerchantSearches", status: 200 };
const FOUND_MIDS = { operationId: "postMerchantMidSearches", status: 200 };
const REGISTERED = { operationId: "postConsumerPanRegistrations", status: 201 };
const DEREGISTERED = { operationId: "postConsumerPanDeregistrations", status: 200 };
const OFFERED = { operationId: "postOffers", status: 200 };

const asText = (when: Which, pointer: string) => edited(when, pointer, { convert: "another-type" });

const renamed = (when: Which, pointer: string, rename: string) => edited(when, pointer, { rename });

const shapesOf = (...operations: readonly Which[]): string[] =>
  operations.map(({ operationId }) => `${operationId}.response.shape`);

const SERVER_LIMITS = "base address, limits and versioning";

export const SERVER_DIFFERENCES = [
  ...permitted("request and response payloads")({
    "amounts-as-texts": {
      what: "Amounts and counts are texts.",
      effects: [
        ...asText(READ_PLAN, "/transaction/amount"),
        ...asText(READ_PLAN, "/planInstallmentInformation/totalAmount"),
        ...asText(OFFERED, "/offers/*/planInstallmentInformation/totalAmount"),
        ...asText(REGISTERED, "/registeredPans"),
        ...asText(DEREGISTERED, "/registeredPans"),
      ],
      affects: shapesOf(READ_PLAN, OFFERED, REGISTERED, DEREGISTERED),
    },
  }),
  ...permitted("resources and fields")({
    "other-field-names": {
      what: "Fields have other names.",
      effects: [
        ...renamed(READ_PLAN, "/status", "planState"),
        ...renamed(READ_APPROVAL, "/status", "checkoutState"),
        ...renamed(READ_APPROVAL, "/callbackUrl", "pspRedirect"),
        ...renamed(LISTED, "/*/status", "participation"),
        ...renamed(FOUND, "/*/status", "participation"),
        ...renamed(FOUND_MIDS, "/mids/*/status", "participation"),
        ...renamed(REGISTERED, "/registeredPans", "size"),
        ...renamed(DEREGISTERED, "/registeredPans", "size"),
      ],
      affects: shapesOf(READ_PLAN, READ_APPROVAL, LISTED, FOUND, FOUND_MIDS, REGISTERED, DEREGISTERED),
    },
  }),
  ...permitted("status codes")({
    "other-success-statuses": {
      what: "Accepted calls are answered with other success statuses.",
      effects: [
        ...status(201, { status: 202 }),
        ...status(200, { status: 201 }),
        ...status(202, { operationId: "postPlans", status: 201 }),
      ],
    },
    "other-refusal-statuses": {
      what: "Malformed calls are answered with 422, and calls about unknown resources with 409.",
      effects: [
        ...status(422, { cause: ["invalid-body", "invalid-parameter", "invalid"] }),
        ...status(409, { cause: ["unknown"] }),
      ],
    },
  }),
  ...permitted(["authentication", "registered partner"], { group: "authentication" })({
    "basic-authentication": {
      what: "Every call needs basic authentication, and an unregistered partner is unauthorized.",
      effects: [
        "basic-authentication",
        ...status(401, { cause: ["unregistered"] }),
        ...header({ cause: ["unregistered"] }, "www-authenticate", 'Basic realm="installments"'),
      ],
    },
  }),
  ...permitted("registered partner", { group: "authentication" })({
    "unregistered-sees-nothing": {
      what: "For an unregistered partner, the operations do not exist.",
      effects: status(404, { cause: ["unregistered"] }),
    },
  }),
  ...permitted(SERVER_LIMITS)({
    "behind-gateway": {
      what: "The base address has another path, which a header states.",
      effects: [
        ...served("/installments", "/gateway/plans/v3"),
        ...header({}, "content-location", "/gateway/plans/v3"),
      ],
    },
    "rate-limited": "Every 80th call is answered with 429.",
    "version-stated": {
      what: "Answers state the version of the interface.",
      effects: header({}, "api-version", "2.1"),
    },
  }),
];
