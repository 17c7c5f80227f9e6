/**
 * Reports of a customer. Each report keeps its final status, lists show all reports, and portfolios show the newest of
 * each type.
 */
import { id } from "../../../fixtures/financial-data/ids.ts";
import { BY_CUSTOMER } from "../../../fixtures/financial-data/reports.ts";
import type { T } from "../../../fixtures/financial-data/trial.ts";
import { lettersOf } from "../../../helpers/flows/report-poll.ts";
import type { Assertion, Command, Model, Query } from "../../../helpers/sequences/model.ts";
import { alive, type ModelResource, newModelResource } from "../../../helpers/sequences/model-resources.ts";
import { fewer, has, making, queryList, removing } from "../../../helpers/sequences/resource-model.ts";
import { type Caller, callerFor } from "../../../helpers/sequences/sequence-calls.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/trials/kit/language.ts";
import { adopting, isLinked, type Linked, type LinkedCustomers, linkedCustomers } from "./linked.ts";
import { LISTS_AGREE, READABLE, sequenceTrial } from "./sequences.ts";

interface State extends Linked {
  portfolio: string | undefined;
  /** Reports that have no known final status yet. */
  running: readonly string[];
  /** Portfolios that have not been read since the last report ended. */
  unfolded: readonly string[];
  /** Whether time has passed since the reports were read. */
  waited: boolean;
  /** The final status of the other reports. */
  readonly ended: Record<string, string>;
}

const FETCHED = id("reports.fetched-by-report-id");
const STATUS = id("reports.status-enum");
const STAYS = id("sequences.reports-stay-ended");
const NEWEST = id("portfolios.most-recent-per-type");

const KINDS = ["GenerateVOAReport", "GenerateVOIReport"];
const LISTS = ["GetReportsByCustomerId", "GetReportsByConsumerId"];
const PORTFOLIOS = ["GetPortfolioByCustomer", "GetPortfolioByConsumer"];
/** The polling interval of a client. */
const WAIT_SECONDS = 20;
const MOST = 7;

const modelOf = (t: T, customers: LinkedCustomers): Model<State> => {
  const calls = callerFor(t);
  return {
    start: () => ({
      ...customers.start(),
      portfolio: undefined,
      running: [],
      unfolded: [],
      waited: false,
      ended: {},
    }),
    commands: [
      ...customers.commands<State>(calls),
      {
        name: "create a consumer",
        when: (state) => isLinked(1)(state) && !has("consumer")(state),
        call: async ({ resources }, { seed }) => {
          const { ids } = alive(resources, "customer")[0] as ModelResource;
          const call = await calls.of("CreateConsumer", ids, seed);
          return making(calls, call, { kind: "consumer", ids, possible: READABLE });
        },
      },
      ...KINDS.map((operationId) => generating(t, operationId)),
      { ...waiting("wait until the reports are generated"), when: ({ running }) => running.length > 1 },
      {
        ...waiting("wait until the last report is generated"),
        when: ({ running }) => running.length > 0,
        isLast: true,
      },
    ],
    queries: (state) => queriesFor(t, calls, state),
    leave: removing(calls, { customer: "DeleteCustomer" }),
  };
};

const waiting = (name: string): Command<State> => ({
  name,
  call: () => ({
    act: { kind: "pass", seconds: WAIT_SECONDS },
    expect: (state: State) => {
      state.waited = true;
    },
  }),
});

const generating = (t: T, operationId: string): Command<State> => ({
  name: `generate a report with ${operationId}`,
  operationId,
  when: (state) => has("consumer")(state) && state.running.length < 3 && fewer("report", MOST)(state),
  call: async ({ resources }) => {
    const { ids } = alive(resources, "consumer")[0] as ModelResource;
    return {
      call: await t.generationCall({ operationId }, ids),
      expect: (state: State, exchange: Exchange) => {
        t.assertAccepted(exchange);
        const report = t.identifierIn(exchange, "report");
        state.portfolio = t.identifierAt(exchange, "portfolio") ?? state.portfolio;
        const number = (state.made.report ?? 0) + 1;
        state.made.report = number;
        const resource = newModelResource("report", number, { ...ids, report });
        state.resources.push({ ...resource, traits: { kind: operationId } });
        state.running = [...state.running, resource.name];
      },
    };
  },
});

const queriesFor = (t: T, calls: Caller, state: State): Query<State>[] => {
  const { resources, running, portfolio } = state;
  const reports = alive(resources, "report");
  const [{ ids } = { ids: {} }] = alive(resources, "consumer");
  return [
    ...adopting(t, calls, state),
    ...reports.map((report) => reportAlone(t, calls, report, state)),
    ...(reports.length === 0 ? [] : LISTS).map((operationId) =>
      queryList<State>(t, {
        name: `the list of ${operationId}`,
        kind: "report",
        call: () => calls.of(operationId, ids),
        holds: (now) => ({ shown: alive(now.resources, "report"), hidden: [] }),
        shows: LISTS_AGREE,
        hides: LISTS_AGREE,
      }),
    ),
    // The documents do not state whether a portfolio includes a report in progress.
    ...(running.length > 0 || portfolio === undefined ? [] : PORTFOLIOS).map((operationId) =>
      portfolioOf(t, calls, operationId, { ...ids, portfolio: portfolio ?? "" }, state),
    ),
  ];
};

const reportAlone = (
  t: T,
  calls: Caller,
  { name, ids }: ModelResource,
  { waited, running }: State,
): Query<State> => ({
  name,
  due: waited && running.includes(name),
  call: async () => ({
    call: await calls.of(BY_CUSTOMER, ids),
    expect: (state: State, exchange: Exchange, note: Assertion) => {
      // The documents do not state that a report can be read before it is generated.
      const isEarly = statusOf(exchange) === 404 && state.ended[name] === undefined;
      if (!isEarly)
        note(FETCHED, isAccepted(exchange), {
          message: `${BY_CUSTOMER} does not show ${name}`,
          expected: "the report",
          actual: `${statusOf(exchange)}`,
        });
      const status = isAccepted(exchange) ? t.statusOfReport(exchange) : undefined;
      if (status !== undefined) judgeStatus(state, name, status, note);
      state.waited &&= state.running.length > 0;
    },
  }),
});

/** The statuses of a report that has ended. */
const ENDS = ["success", "failure"];

const judgeStatus = (state: State, name: string, status: string, note: Assertion): void => {
  const word = lettersOf(status);
  note(STATUS, ["inprogress", ...ENDS].includes(word), {
    message: `${name} has the status ${status}`,
    expected: "inProgress, failure or success",
    actual: status,
    named: true,
  });
  const before = state.ended[name];
  note(STAYS, before === undefined || before === word, {
    message: `${name} had ended, but now has another status`,
    expected: String(before),
    actual: status,
    named: !ENDS.includes(before ?? ""),
  });
  if (word === "inprogress") return;
  state.ended[name] = word;
  state.unfolded = PORTFOLIOS;
  state.running = state.running.filter((one) => one !== name);
};

const portfolioOf = (
  t: T,
  calls: Caller,
  operationId: string,
  ids: ModelResource["ids"],
  { unfolded }: State,
): Query<State> => ({
  name: `the portfolio of ${operationId}`,
  due: unfolded.includes(operationId),
  call: async () => ({
    call: await calls.of(operationId, ids),
    expect: (state: State, exchange: Exchange, note: Assertion) => {
      const { resources } = state;
      state.unfolded = state.unfolded.filter((one) => one !== operationId);
      if (!isAccepted(exchange)) return;
      const text = new Set(t.itemsIn(exchange).flatMap((item) => Object.values(item as object).map(String)));
      const reports = alive(resources, "report");
      const newest = KINDS.flatMap(
        (kind) => reports.findLast(({ traits }) => traits?.kind === kind)?.name ?? [],
      );
      const wrong = reports.find(
        ({ name, ids: own }) => newest.includes(name) !== text.has(own.report ?? ""),
      );
      const due = wrong !== undefined && newest.includes(wrong.name);
      note(NEWEST, wrong === undefined, {
        message: `${operationId} ${due ? "lacks" : "contains"} ${wrong?.name}, ${due ? "the newest of its type" : "although a newer one of its type exists"}`,
        expected: newest.join(" and "),
        actual: reports
          .flatMap(({ name, ids: own }) => (text.has(own.report ?? "") ? [name] : []))
          .join(" and "),
        named: !reports.some(({ ids: own }) => text.has(own.report ?? "")),
      });
    },
  }),
});

export const reportSequences = sequenceTrial<State>(
  {
    name: "reports-and-portfolios",
    title: "reports keep their final status, and portfolios contain the newest of each type",
    section: "Report retrieval",
    operations: [...KINDS, BY_CUSTOMER, ...LISTS, ...PORTFOLIOS],
    requirements: [FETCHED, STATUS, STAYS, NEWEST, LISTS_AGREE],
  },
  async (t, walk) => {
    const customers = await linkedCustomers(t, 1);
    await walk({ model: modelOf(t, customers), steps: 19 });
  },
);
