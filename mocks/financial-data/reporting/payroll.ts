/** Payroll reports that came into being when a connect flow was completed. */
import type { Call } from "../faults.ts";
import { type Report, reportOf, reportsOf, shelve, shelves } from "../world/reports.ts";
import type { World } from "../world/world.ts";

const TYPE = "voiePayroll";

/** The reports of a customer, with that of its connect flow: it is about the consumer, so it waits for one. */
export const reportsWithPayroll = (world: World, { bent }: Call, customerId: string): readonly Report[] => {
  const since = shelves(world).payroll.get(customerId);
  const consumer = world.customers.consumerOf.get(customerId);
  const customer = world.customers.find(customerId);
  const waits = since === undefined || consumer === undefined || customer === undefined;
  const there = reportsOf(world, customerId).some(({ type }) => type === TYPE);
  if (!waits && !there && !bent("reports-no-payroll-from-connect")) {
    const created = Math.max(since, consumer.created);
    const { partnerId, type: customerType } = customer;
    const operationId = "RefreshVOIEPayrollReport";
    const fields = { operationId, type: TYPE, partnerId, customerId, customerType, consumerId: consumer.id };
    shelve(world, reportOf(fields, created), "success", created);
  }
  return reportsOf(world, customerId);
};
