/** Reseller billing: pages of reports that were billed to a partner and to the partners that it resells to. */
import { type Fields, numberIn } from "../../../engine/values/fields.ts";
import { DAY } from "../../../engine/values/units.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { partnerOf, pathValue } from "../../found.ts";
import { lastFourOf } from "../../reporting/content.ts";
import type { Handler } from "../../section.ts";
import { type Report, shelves } from "../../state/reports.ts";
import type { State } from "../../state/state.ts";

const MOST_DAYS = 31;
const USUAL_SIZE = 100;
const LARGEST_SIZE = 1_000;

/** Milliseconds since 1970. */
const YEAR_2000 = Date.UTC(2000, 0, 1);

export const resellerBilling: Handler = (state, call) => {
  const { faulty, query } = call;
  const [from, until] = rangeIn(state, call);
  const size = sizeIn(call);
  const first = faulty("billing-pages-from-one") ? 1 : 0;
  const number = Math.max(0, Number(query.page ?? (faulty("billing-second-page") ? 1 : first)) - first);
  if (size < 1) throw refused("no-size");
  const testing = query.viewTestingReports ?? faulty("billing-testing-by-default");
  const found = billed(state, partnersIn(state, call)).filter(
    ({ created, customerType }) =>
      created >= from &&
      created <= until &&
      (customerType === "active" || testing === true || faulty("billing-testing-always")),
  );
  const content = found.slice(number * size, (number + 1) * size).map((report) => rowOf(state, report));
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
  return success(state, call, known, { made: "required" });
};

const sizeIn = ({ query, faulty, differs }: Call): number => {
  const size = Number(query.size ?? (faulty("billing-size-50") ? 50 : USUAL_SIZE));
  return differs("large-pages-cut") ? Math.min(size, LARGEST_SIZE) : size;
};

const rangeIn = (state: State, { query, faulty, differs }: Call): [from: number, until: number] => {
  const early = [query.startDate, query.endDate].some((date) => Number(date) < YEAR_2000);
  if (early && differs("billing-in-milliseconds")) throw refused("date-too-early");
  const until = secondsOf(query.endDate) ?? state.seconds();
  const from = secondsOf(query.startDate) ?? until - MOST_DAYS * DAY;
  if (from > until) throw refused("range-reversed");
  if (until - from > MOST_DAYS * DAY && !faulty("billing-any-range")) throw refused("range-too-long");
  return [from, until];
};

const LARGEST_SECONDS = 100_000_000_000;

/** Returns the date in seconds. A number that is too large for seconds is in milliseconds. */
const secondsOf = (value: unknown): number | undefined => {
  const date = numberIn(value);
  return date !== undefined && date > LARGEST_SECONDS ? date / 1000 : date;
};

/** Returns the partners whose reports the caller may read: itself and the partners that it resells to. */
const partnersIn = (state: State, call: Call): readonly string[] => {
  const caller = partnerOf(state, call);
  const resold = call.faulty("billing-own-only") ? [] : caller.resells;
  const asked = pathValue(call, "partnerId");
  if (asked === caller.id) return [caller.id, ...resold];
  if (resold.includes(asked)) return [asked];
  throw refused("partner-out-of-reach");
};

const billed = (state: State, partners: readonly string[]): Report[] =>
  [...shelves(state).byId.values()].filter(
    ({ partnerId, status }) => status === "success" && partners.includes(partnerId),
  );

const rowOf = (state: State, report: Report): Fields => {
  const { id, customerId, consumerId, external, created, type, status, partnerId } = report;
  const fields = state.customers.consumers.get(consumerId ?? "")?.fields;
  return {
    resellerProvider: state.partners.all.get(partnerId)?.name,
    customerId: external ? undefined : customerId,
    consumerId,
    consumerSsn: lastFourOf(state, consumerId),
    firstName: fields?.firstName,
    lastName: fields?.lastName,
    lastFourReportId: id.slice(-4),
    createdDate: created,
    reportType: type,
    status,
  };
};
