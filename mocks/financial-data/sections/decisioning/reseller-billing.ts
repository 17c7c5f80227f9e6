/** Reseller billing: the reports that were billed to a partner and to those set up with it, in pages. */

import type { Fields } from "../../../engine/values/fields.ts";
import { DAY } from "../../../engine/values/units.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { partnerOf, pathValue } from "../../found.ts";
import { lastFourOf } from "../../reporting/content.ts";
import type { Handler } from "../../section.ts";
import { type Report, shelves } from "../../world/reports.ts";
import type { World } from "../../world/world.ts";

const MOST_DAYS = 31;
const USUAL_SIZE = 100;

export const resellerBilling: Handler = (world, call) => {
  const { bent, query } = call;
  const [from, until] = rangeIn(world, call);
  const size = Number(query.size ?? (bent("billing-size-50") ? 50 : USUAL_SIZE));
  const first = bent("billing-pages-from-one") ? 1 : 0;
  const number = Math.max(0, Number(query.page ?? (bent("billing-second-page") ? 1 : first)) - first);
  if (size < 1) throw refused("no-size");
  const testing = query.viewTestingReports ?? bent("billing-testing-by-default");
  const found = billed(world, partnersIn(world, call)).filter(
    ({ created, customerType }) =>
      created >= from &&
      created <= until &&
      (customerType === "active" || testing === true || bent("billing-testing-always")),
  );
  const content = found.slice(number * size, (number + 1) * size).map((report) => rowOf(world, report));
  const totalPages = Math.ceil(found.length / size);
  const known = {
    content,
    totalPages,
    totalElements: found.length,
    numberOfElements: content.length,
    number: number + first,
    size,
    first: number === 0,
    last: number >= totalPages - 1,
    empty: content.length === 0,
  };
  return success(world, call, known, { made: "required" });
};

const rangeIn = (world: World, { query, bent }: Call): [from: number, until: number] => {
  const until = secondsOf(query.endDate) ?? world.seconds();
  const from = secondsOf(query.startDate) ?? until - MOST_DAYS * DAY;
  if (from > until) throw refused("range-reversed");
  if (until - from > MOST_DAYS * DAY && !bent("billing-any-range")) throw refused("range-too-long");
  return [from, until];
};

const LARGEST_SECONDS = 100_000_000_000;

/** What is too large for seconds is taken as milliseconds. */
const secondsOf = (date: unknown): number | undefined => {
  if (typeof date !== "number") return undefined;
  return date > LARGEST_SECONDS ? date / 1000 : date;
};

/** A partner reads its own reports and those of the partners that are set up with it. */
const partnersIn = (world: World, call: Call): readonly string[] => {
  const caller = partnerOf(world, call);
  const resold = call.bent("billing-own-only") ? [] : caller.resells;
  const asked = pathValue(call, "partnerId");
  if (asked === caller.id) return [caller.id, ...resold];
  if (resold.includes(asked)) return [asked];
  throw refused("partner-out-of-reach");
};

const billed = (world: World, partners: readonly string[]): Report[] =>
  [...shelves(world).byId.values()].filter(
    ({ partnerId, status }) => status === "success" && partners.includes(partnerId),
  );

const rowOf = (world: World, report: Report): Fields => {
  const { id, customerId, consumerId, external, created, type, status, partnerId } = report;
  const fields = world.customers.consumers.get(consumerId ?? "")?.fields;
  return {
    resellerProvider: world.partners.all.get(partnerId)?.name,
    customerId: external ? undefined : customerId,
    consumerId,
    consumerSsn: lastFourOf(world, consumerId),
    firstName: fields?.firstName,
    lastName: fields?.lastName,
    lastFourReportId: id.slice(-4),
    createdDate: created,
    reportType: type,
    status,
  };
};
