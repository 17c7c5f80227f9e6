/** Small business credit analytics: answers with metrics of a merchant's location and stores them as a report. */
import { type Fields, numberIn } from "../../../engine/values/fields.ts";
import { randomOf } from "../../../engine/values/random.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf, customerIn, partnerOf } from "../../found.ts";
import { callbackIn } from "../../reporting/wanted.ts";
import type { Section } from "../../section.ts";
import type { Customer } from "../../state/customer.ts";
import { locations } from "../../state/locations.ts";
import { generateAtOnce, type NewReport, reportOf } from "../../state/reports.ts";
import { send } from "../../state/sending.ts";
import type { State } from "../../state/state.ts";

const OPERATION = "GenerateSBCAMetricsReport";

/** Sends the callback without waiting for it. */
const announce = (state: State, { callbackUrl, customerId, type }: NewReport, reportId: string): void => {
  if (callbackUrl === undefined) return;
  const body = { reportId, customerId, type, status: "success" };
  void send(state, { kind: "report-callback", url: callbackUrl, body });
};

const wantedReport = (state: State, call: Call, customer: Customer, extra: Fields): NewReport => {
  const { id: customerId, type: customerType } = customer;
  const fields = {
    operationId: OPERATION,
    type: "sbca",
    partnerId: partnerOf(state, call).id,
    customerId,
    customerType,
    consumerId: state.customers.consumerOf.get(customerId)?.id,
    business: state.customers.businessOf.get(customerId),
    constraints: bodyOf(call),
    extra,
    callbackUrl: callbackIn(call),
  };
  return reportOf(fields, state.seconds());
};

const NAMES = ["salesVolume", "transactionCount", "averageTicket", "returningCustomerShare"];

const figuresOf = (state: State, locationId: string, benchmarked: boolean): Fields[] => {
  const random = randomOf(`${state.seed} merchant ${locationId}`);
  const period = new Date(state.seconds() * 1000).toISOString().slice(0, 7);
  return NAMES.map((name) => ({
    name,
    period,
    value: random.integer(1_000, 90_000) / 100,
    benchmark: benchmarked ? random.integer(1_000, 90_000) / 100 : undefined,
  }));
};

/** Empties the fields of metrics. The document may name them otherwise. */
const withoutMetrics = (json: unknown): Fields =>
  Object.fromEntries(
    Object.entries(json as Fields).map(([name, value]) => [
      name,
      !/metrics$/i.test(name) ? value : Array.isArray(value) ? [] : {},
    ]),
  );

export const merchantMetrics: Section = {
  handlers: {
    async [OPERATION](state, call) {
      const customer = customerIn(state, call);
      if (call.differs("consumers-always-needed") && !state.customers.consumerOf.has(customer.id))
        throw refused("no-consumer");
      const { locationId, metricsType, fromDate, toDate } = bodyOf(call);
      const isMade = /^\d{12}$/.test(String(locationId)) && !/^0+$/.test(String(locationId));
      if (!isMade && !locations(state).has(String(locationId))) throw refused("unknown-merchant-location");
      if ((numberIn(fromDate) ?? 0) > (numberIn(toDate) ?? state.seconds())) throw refused("dates-reversed");
      const figures = figuresOf(state, String(locationId), metricsType === "benchmarking");
      const wanted = wantedReport(state, call, customer, { locationId, metricsType, metrics: figures });
      const { id, created } = await generateAtOnce(state, { ...wanted, callbackUrl: undefined });
      announce(state, wanted, id);
      const head = { id, customerId: customer.id, locationId, createdDate: created, status: "success" };
      // Only a provider's document shows the kinds of the customer and of the report.
      const kinds = state.contract.provider && { customerType: wanted.customerType, type: wanted.type };
      const answer = success(state, call, { ...head, ...kinds, metricsType, metrics: figures }, { key: id });
      return call.faulty("sbca-without-metrics") ? { ...answer, json: withoutMetrics(answer.json) } : answer;
    },
  },
  situations: {
    location: (state) => ({ FINANCIAL_DATA_LOCATION_ID: `1${state.identifiers.digits(11, "location")}` }),
  },
};
