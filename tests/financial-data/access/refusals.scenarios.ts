/**
 * Refusals that an operation lists without a cause: sends calls that are likely to cause them, and observes the
 * answers.
 */
import { FIRST_OR_THIRD_PARTY } from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { tokenHeader } from "../../../helpers/contract/lookups.ts";
import { type Call, isAccepted, statusOf, withFields } from "../../../helpers/trials/kit/language.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";

interface RefusalRow {
  readonly operationId: string;
  readonly status: number;
  readonly what: string;
  readonly call: (t: T, operationId: string) => Promise<Call>;
}

/** An id in the most common form that does not exist. */
const NOBODY = "900000000000";
const MALFORMED = "no identifier!";

const naming =
  (resource: string, value: string): RefusalRow["call"] =>
  (t, operationId) =>
    t.validCall(operationId, { [resource]: value });

const asking =
  (name: string, value: string): RefusalRow["call"] =>
  (t, operationId) =>
    t.validCall(operationId, {}, { parameters: { [name]: value } });

/** Makes a call of a partner without webhooks. */
const byQuietPartner: RefusalRow["call"] = async (t, operationId) => {
  const given = await t.situation("webhooks-unavailable", "a partner without webhooks");
  const token = await t.workingToken(given);
  return t.validCall(operationId, {}, { headers: { [tokenHeader(t.contract)]: token } });
};

const forgottenCustomer: RefusalRow["call"] = async (t, operationId) => {
  const need = "a customer of whom nothing is known any more";
  const gone = await t.situation("external-customer-gone", need);
  const externalCustomerId = gone["external-customer"];
  const call = await t.validCall(operationId);
  const { transactions } = call.json as { readonly transactions: readonly object[] };
  return withFields(call, { transactions: transactions.map((one) => ({ ...one, externalCustomerId })) });
};

/** Makes a call with only an external id, because such a customer need not belong to this partner. */
const unknownExternalCustomer: RefusalRow["call"] = (t, operationId) =>
  t.validCall(operationId, {}, { fields: { customerId: undefined, externalCustomerId: NOBODY } });

const unknownLocation: RefusalRow["call"] = async (t, operationId) => {
  const [[idType = "idType", idValue = "idValue"] = []] = t.operationOf(operationId).parameterSets;
  const type = t.parameterValue(operationId, idType);
  return { operationId, query: { [idType]: type, [idValue]: "000000000000" } };
};

const ROWS: readonly RefusalRow[] = [
  {
    operationId: "GenerateFixConnectUrl",
    status: 404,
    what: "an institution login that does not exist",
    call: naming("institution-login", NOBODY),
  },
  {
    operationId: "GetAllExperience",
    status: 404,
    what: "an app that does not exist",
    call: asking("appName", "Unknown App 9000"),
  },
  {
    operationId: "listWebhookSubscriptions",
    status: 404,
    what: "a partner without webhooks",
    call: byQuietPartner,
  },
  {
    operationId: "listAvailableWebhookSubscriptionEvents",
    status: 404,
    what: "a partner without webhooks",
    call: byQuietPartner,
  },
  {
    operationId: "GetAppRegistrationStatus",
    status: 404,
    what: "a registration that does not exist",
    call: asking("preAppId", NOBODY),
  },
  {
    operationId: "GenerateThirdPartyAccessKey",
    status: 404,
    what: "a customer that does not exist",
    call: naming("customer", NOBODY),
  },
  {
    operationId: "GetLocationMatches",
    status: 400,
    what: "no location",
    call: async (_, operationId) => ({ operationId, query: {} }),
  },
  { operationId: "GetLocationMatches", status: 404, what: "an unknown location", call: unknownLocation },
  {
    operationId: "post-reconnections",
    status: 400,
    what: "a malformed institution login",
    call: naming("institution-login", MALFORMED),
  },
  {
    operationId: "enrichTransactions",
    status: 404,
    what: "a customer that was forgotten",
    call: forgottenCustomer,
  },
  {
    operationId: FIRST_OR_THIRD_PARTY,
    status: 404,
    what: "an external customer that does not exist",
    call: unknownExternalCustomer,
  },
];

export const refusalScenarios = (contract: { readonly operations: readonly Section[] }): Trial[] =>
  ROWS.map((row) =>
    scenariosIn(sectionOf(contract.operations, row.operationId))(`${row.operationId}/refusal-${row.status}`, {
      title: `${row.operationId}: a call about ${row.what} gets a documented status`,
      operations: [row.operationId],
      requirements: [`${row.operationId}.documented-statuses`],
      run: (t) => tryRefusal(t, row),
    }),
  );

interface Section {
  readonly operationId: string;
  readonly section: string;
}

const sectionOf = (operations: readonly Section[], operationId: string): string =>
  operations.find((operation) => operation.operationId === operationId)?.section ?? "";

/**
 * Observes the answer. Every answer is judged to have a documented status; the document does not state which status
 * fits.
 */
const tryRefusal = async (t: T, { operationId, status, what, call }: RefusalRow): Promise<void> => {
  const exchange = await t.answerTo(await call(t, operationId));
  const answer = isAccepted(exchange) ? "accepted" : `refused with ${statusOf(exchange)}`;
  const observed = `a call about ${what} is ${answer}; ${status} is listed`;
  t.judge.observe("operations described by path and status only", operationId, observed);
};
