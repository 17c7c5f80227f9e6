/** The exercises for callers of financial data. */
import { startsReport } from "../../../../../fixtures/financial-data/operation-data.ts";
import type { Json } from "../../../../../helpers/contract/json.ts";
import { tokenHeader } from "../../../../../helpers/contract/lookups.ts";
import {
  answer,
  commonExercises,
  type Exercise,
  lostAnswer,
  type Occasion,
} from "../../../judging/exercise.ts";
import { OWNERS, REFRESHES, REPORT_READS, STATEMENTS } from "./calls.ts";

const SERVICE = "financial-data";

const named =
  (...operationIds: readonly string[]) =>
  ({ operation }: Occasion): boolean =>
    operation !== undefined && operationIds.includes(operation.operationId);

/** Also one that is billed. */
const isRead = (occasion: Occasion): boolean => {
  const { operation, headers } = occasion;
  const isGet = operation?.method === "GET" && operation.progress === undefined;
  return isGet && headers[tokenHeader(occasion)] !== undefined;
};

const isPlainRead = (occasion: Occasion): boolean =>
  isRead(occasion) && occasion.operation?.hazards.length === 0;

const isJson = ({ headers, url }: Occasion): boolean =>
  !/pdf/.test(`${headers.accept ?? ""}`) && !/\.pdf$/.test(url.pathname);

/** Lets a report be in progress three times, then gives it the status at the end, if there is one. */
const polled = (id: string, ask: string, end?: Json): Exercise => ({
  id: `${SERVICE}.${id}`,
  requirements: ["reports.poll-wait-20s", "reports.poll-while-inProgress"],
  ask: `${ask} and read it until it is complete`,
  fits: (occasion) => named(...REPORT_READS)(occasion) && isJson(occasion),
  keyOf: ({ path }) => path.reportId ?? "",
  times: end === undefined ? 3 : 4,
  act: {
    kind: "change",
    change: (json, _, turn) => ({ ...(json as Json), ...(turn < 3 ? { status: "inProgress" } : end) }),
  },
});

/** The time limit of a client passes at once, or in real time. */
const IN_TIME = "with a time limit on the clock of the proxy or with --slow";

const failing = (id: string, ask: string, act: Exercise["act"]): Exercise => ({
  id: `${SERVICE}.${id}`,
  requirements: ["caller.error-answers-survived"],
  ask,
  fits: isPlainRead,
  act,
});

const late = (id: string, requirement: string, ask: string, operationIds: readonly string[]): Exercise => ({
  id: `${SERVICE}.${id}`,
  requirements: [requirement],
  ask: `${ask}, ${IN_TIME}`,
  fits: named(...operationIds),
  // A time limit shows by two.
  times: 2,
  act: { kind: "delay", seconds: 170 },
});

const callback = (when: "before" | "twice" | "never"): Exercise => ({
  id: `${SERVICE}.callback-${when}`,
  requirements: ["caller.callbacks-in-any-order"],
  ask: "generate a report with callbackUrl",
  fits: (occasion) => startsReport(occasion.operation) && occasion.url.searchParams.has("callbackUrl"),
  act: { kind: "callback", when },
});

const REQUIRED_OF_HOLDER = ["ownerName", "nameClassification"];

const onlyRequired = (json: unknown): unknown => {
  const { holders } = json as { readonly holders?: readonly Json[] };
  if (holders === undefined) return json;
  return {
    holders: holders.map((holder) =>
      Object.fromEntries(Object.entries(holder).filter(([name]) => REQUIRED_OF_HOLDER.includes(name))),
    ),
  };
};

/** Repeats the first item, as if another one was added before the page while the client read. */
const withRepeatedItem = (json: unknown, { operation }: Occasion): unknown => {
  const name = (operation?.list?.items ?? "").slice(1);
  const items = (json as Json)[name];
  return Array.isArray(items) && items.length > 0
    ? { ...(json as Json), [name]: [...items.slice(0, 1), ...items] }
    : json;
};

const listOf = (name: string, size: number): Exercise => ({
  id: `${SERVICE}.list-of-${name}`,
  requirements: [],
  ask: "read the list of customers once more",
  fits: named("GetCustomers"),
  act: {
    kind: "change",
    change(json) {
      const { customers = [] } = json as { readonly customers?: readonly Json[] };
      if (customers.length === 0) return json;
      const many = Array.from({ length: size }, (_, index) => customers[index % customers.length]);
      return { ...(json as Json), found: size, displaying: size, moreAvailable: false, customers: many };
    },
  },
});

export const exercises: readonly Exercise[] = [
  {
    id: `${SERVICE}.token-ends`,
    requirements: ["caller.refused-token-replaced"],
    ask: "use one token for several calls",
    fits: isPlainRead,
    after: 2,
    act: { kind: "end-token", status: 401, json: { code: 10023, message: "The token has ended." } },
  },
  {
    id: `${SERVICE}.log-in-fails`,
    requirements: ["auth.token-needed-on-all-other-calls"],
    ask: "log in a second time, and wait for a token before you go on",
    fits: named("CreateToken"),
    // A client that ends when its first log-in is refused would show nothing else.
    after: 1,
    // With 401, a careful client would ask a person for other credentials.
    act: answer(503, "Try again later."),
  },
  ...commonExercises(SERVICE, isPlainRead, ["type"], isRead),
  failing("failure", "send any request", answer(500, "An internal failure.")),
  failing("half-answer", "send any request", { kind: "cut", cut: "half" }),
  failing("reset", "send any request", { kind: "cut", cut: "reset" }),
  failing("hanging", `send any request, ${IN_TIME}`, { kind: "delay", seconds: 900 }),
  lostAnswer(`${SERVICE}.creation-lost`, "create a consumer", ["CreateConsumer"]),
  lostAnswer(`${SERVICE}.customer-lost`, "create a customer", ["AddTestingCustomer", "AddCustomer"]),
  {
    ...lostAnswer(`${SERVICE}.report-lost`, "generate a report", []),
    fits: ({ operation }) => startsReport(operation),
  },
  lostAnswer(`${SERVICE}.lost-answer`, "create something"),
  {
    id: `${SERVICE}.question`,
    requirements: [],
    ask: "read the owner of an account, or a statement",
    fits: named(...OWNERS, ...STATEMENTS),
    // The first ones are for the exercises of answers that come late.
    after: 2,
    act: {
      kind: "answer",
      status: 203,
      headers: [],
      json: { questions: [{ text: "What is the name of your first school?" }] },
    },
  },
  {
    id: `${SERVICE}.page-three`,
    requirements: ["caller.further-pages-read"],
    ask: "read the list of customers",
    fits: named("GetCustomers"),
    times: 3,
    // Further pages follow the first and the second page.
    act: { kind: "change", change: (json, _, turn) => ({ ...(json as Json), moreAvailable: turn < 2 }) },
  },
  listOf("one", 1),
  listOf("thousand", 1000),
  {
    id: `${SERVICE}.page-changes`,
    requirements: [],
    ask: "read two pages of a list",
    fits: ({ operation, url }) =>
      operation?.paging?.start !== undefined && Number(url.searchParams.get(operation.paging.start) ?? 1) > 1,
    act: { kind: "change", change: withRepeatedItem },
  },
  polled("report-succeeds", "generate a report"),
  polled("report-fails", "generate another report", {
    status: "failure",
    errors: [{ code: 1, message: "The report can't be generated." }],
  }),
  callback("before"),
  callback("twice"),
  callback("never"),
  {
    id: `${SERVICE}.owner-details-vary`,
    requirements: ["GetAccountOwnerDetails.content-varies"],
    ask: "read the owner details of an account",
    fits: named("GetAccountOwnerDetails"),
    times: 3,
    act: { kind: "change", change: onlyRequired },
  },
  {
    id: `${SERVICE}.owner-times-out`,
    requirements: ["accountOwner.retry-on-timeout"],
    ask: "read the owner of an account",
    fits: named(...OWNERS),
    act: answer(504, "The institution did not answer."),
  },
  late("owner-late", "accountOwner.may-take-minutes", "read the owner of an account", OWNERS),
  late(
    "refresh-late",
    "accounts.refresh.client-timeout-180s",
    "refresh the accounts of a customer",
    REFRESHES,
  ),
  late("statement-late", "statements.client-timeout-180s", "read a statement", STATEMENTS),
  {
    id: `${SERVICE}.ninety-one-minutes`,
    requirements: ["auth.token-renewed-after-90-minutes"],
    ask: "go on sending requests on the clock of the proxy",
    fits: isPlainRead,
    after: 3,
    act: { kind: "pass", seconds: 91 * 60 },
  },
];
