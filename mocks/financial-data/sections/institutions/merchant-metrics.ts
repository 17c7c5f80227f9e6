/** Small business credit analytics: metrics of a merchant's location, answered at once and kept as a report. */

import type { Fields } from "../../../engine/values/fields.ts";
import { randomOf } from "../../../engine/values/random.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { bodyOf, customerIn, partnerOf } from "../../found.ts";
import { callbackIn, secondsIn } from "../../reporting/wanted.ts";
import type { Section } from "../../section.ts";
import type { Customer } from "../../world/customer.ts";
import { generateAtOnce, type NewReport, reportOf } from "../../world/reports.ts";
import type { World } from "../../world/world.ts";

const OPERATION = "GenerateSBCAMetricsReport";

/** The answer does not wait for whoever listens. */
const announce = (world: World, { callbackUrl, customerId, type }: NewReport, reportId: string): void => {
  if (callbackUrl === undefined) return;
  const body = { reportId, customerId, type, status: "success" };
  void world.deliveries.send({ kind: "report-callback", url: callbackUrl, body });
};

const wantedReport = (world: World, call: Call, customer: Customer, extra: Fields): NewReport => {
  const { id: customerId, type: customerType } = customer;
  const fields = {
    operationId: OPERATION,
    type: "sbca",
    partnerId: partnerOf(world, call).id,
    customerId,
    customerType,
    consumerId: world.customers.consumerOf.get(customerId)?.id,
    business: world.customers.businessOf.get(customerId),
    constraints: bodyOf(call),
    extra,
    callbackUrl: callbackIn(call),
  };
  return reportOf(fields, world.seconds());
};

const NAMES = ["salesVolume", "transactionCount", "averageTicket", "returningCustomerShare"];

const figuresOf = (world: World, locationId: string, benchmarked: boolean): Fields[] => {
  const random = randomOf(`${world.seed} merchant ${locationId}`);
  const period = new Date(world.seconds() * 1000).toISOString().slice(0, 7);
  return NAMES.map((name) => ({
    name,
    period,
    value: random.integer(1_000, 90_000) / 100,
    benchmark: benchmarked ? random.integer(1_000, 90_000) / 100 : undefined,
  }));
};

export const merchantMetrics: Section = {
  handlers: {
    async [OPERATION](world, call) {
      const customer = customerIn(world, call);
      const { locationId, metricsType, fromDate, toDate } = bodyOf(call);
      if (!/^\d{12}$/.test(String(locationId)) || /^0+$/.test(String(locationId)))
        throw refused("unknown-merchant-location");
      if ((secondsIn(fromDate) ?? 0) > (secondsIn(toDate) ?? world.seconds()))
        throw refused("dates-reversed");
      const figures = figuresOf(world, String(locationId), metricsType === "benchmarking");
      const wanted = wantedReport(world, call, customer, { locationId, metricsType, metrics: figures });
      const { id, created } = await generateAtOnce(world, { ...wanted, callbackUrl: undefined });
      announce(world, wanted, id);
      const head = { id, customerId: customer.id, locationId, createdDate: created, status: "success" };
      return success(world, call, { ...head, metricsType, metrics: figures }, { key: id });
    },
  },
  situations: {
    location: (world) => ({ FINANCIAL_DATA_LOCATION_ID: `1${world.identifiers.digits(11, "location")}` }),
  },
};
