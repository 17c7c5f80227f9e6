/** Renders the plan of a run: its requests, and which are billable, destructive, locking or not allowed. */

import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { LASTING_ALLOWED } from "../../helpers/exchange/allowance.ts";
import { KINDS, type Sent } from "../../helpers/run/tally.ts";
import type { Target } from "../../helpers/target/target.ts";
import { type CreatedResource, leftBy } from "../../helpers/trials/created-resources.ts";
import type { RunInfo } from "../../helpers/trials/run-info.ts";
import type { Certificate } from "../certificate/certificate.ts";
import { groupByTitle, largestFirst } from "../order.ts";
import { count, counted, countedTogether, inBlocks } from "../text.ts";
import { coverageWords } from "./coverage.ts";

interface Planned {
  readonly info: Pick<RunInfo, "depth" | "seed">;
  readonly target: Target;
  readonly contracts: readonly Contract[];
  readonly sent: readonly Sent[];
  readonly made: readonly CreatedResource[];
  /** The certificate of the dry run. */
  readonly certificate: Certificate | undefined;
}

/** Returns text that ends with a line feed. */
export const renderPlan = (plan: Planned): string => {
  const { info, target, contracts } = plan;
  return inBlocks([
    [
      `Plan for ${target.name}: ${info.depth} depth, seed ${info.seed}. Nothing was sent to it.`,
      "The figures come from a run on the embedded sandbox with the settings and permissions of this target: the number",
      "of requests to another server may differ somewhat. Requests that are not allowed are never sent.",
    ],
    ...contracts.map((contract) => serviceTable(plan, contract)),
    totals(plan),
    ...contracts.map(contradictionsOf),
  ]);
};

const serviceTable = ({ sent, made, target }: Planned, contract: Contract): string[] => {
  const byOperation = requestsOf(sent);
  const rows = contract.operations.flatMap((operation) => {
    const wanted = byOperation.get(operation.operationId) ?? [];
    const calls = wanted.filter(({ isKeptBack }) => !isKeptBack);
    const counts = KINDS.map((kind) => calls.filter((call) => call.kind === kind).length);
    const cleansUp = made.some(({ resource }) => operation.removes[resource] !== undefined);
    return wanted.length === 0 && !cleansUp ? [] : [{ operation, cells: [calls.length, ...counts] }];
  });
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(({ operation }) => operation.operationId.length));
  const line = (name: string, cells: readonly (number | string)[], note: string): string =>
    `  ${name.padEnd(width)}${cells.map((cell, at) => String(cell).padStart(WIDTHS[at] ?? 0)).join("")}  ${note}`.trimEnd();
  return [
    line(contract.service, HEADS, "").slice(2).replace(contract.service, `${contract.service}  `),
    ...rows.map(({ operation, cells }) =>
      line(operation.operationId, cells, noteOn(operation, byOperation, target)),
    ),
  ];
};

/** Returns the requests by operation. */
const requestsOf = (sent: readonly Sent[]): ReadonlyMap<string, readonly Sent[]> =>
  new Map(groupByTitle(sent, ({ operationId }) => operationId).map(({ title, items }) => [title, items]));

/** Lists contradictions within a provider's document. A violation of a contradicted rule is an advisory. */
const contradictionsOf = ({ service, provider, differences: { contradictions } }: Contract): string[] =>
  provider === null || contradictions.length === 0
    ? []
    : [
        `The document of ${service} contradicts itself at ${counted(contradictions.length, "place")}. A violation of these rules is an advisory:`,
        ...contradictions.map((one) => `  ${one}`),
      ];

const HEADS = ["calls", ...KINDS];
const WIDTHS = HEADS.map((head) => head.length + 2);

const noteOn = (
  { operationId, hazards }: Operation,
  sent: ReturnType<typeof requestsOf>,
  { permissions }: Target,
): string => {
  const allowed = { billable: permissions.billableCalls > 0, destructive: permissions.destructive };
  const calls = sent.get(operationId) ?? [];
  const destructive = calls.filter((one) => one.isDestructive).length;
  const some = destructive < calls.length ? `${count(destructive)} ` : "";
  return (["billable", "destructive"] as const)
    .filter((hazard) => hazards.includes(hazard) || (hazard === "destructive" && destructive > 0))
    .map((hazard) =>
      allowed[hazard] ? hazard : `${hazard}: ${hazards.includes(hazard) ? "" : some}not sent`,
    )
    .join(", ");
};

const totals = (plan: Planned): string[] => {
  const { sent, made, target } = plan;
  // At its end, the run removes each resource with one call.
  const requests = sent.filter(({ isKeptBack }) => !isKeptBack).length + made.length;
  const rows = [
    ["Requests", `about ${count(requests)}${paceOf(requests, target)}`],
    ["Coverage", coverageOf(plan)],
    ["Billable calls", billable(plan)],
    ["Destructive calls", destructive(plan)],
    ["Failed log-ins", failedLogIns(plan)],
    ["Created resources", made.length === 0 ? "nothing that can be removed" : `about ${summaryOf(made)}`],
    ...(made.length === 0 ? [] : [["", "the run removes them at its end, which needs no permission"]]),
    ...(target.embedded ? [] : [["Left for good", leftOn(plan)]]),
  ] as const;
  return rows.map(([name, text]) => `${name.padEnd(19)}${text}`);
};

/** Returns the requests to the operations that match. */
const sentTo = ({ sent, contracts }: Planned, holds: (operation: Operation) => boolean): Sent[] => {
  const operations = contracts.flatMap((contract) => contract.operations.filter(holds));
  const ids = new Set(operations.map(({ operationId }) => operationId));
  return sent.filter(({ operationId }) => ids.has(operationId));
};

const billable = (plan: Planned): string => {
  const calls = sentTo(plan, ({ hazards }) => hazards.includes("billable"));
  const { billableCalls } = plan.target.permissions;
  if (calls.length === 0) return "none";
  const billed = calls.filter(({ status }) => status >= 200 && status < 300).length;
  if (billableCalls === 0) return `about ${over(calls)}; none are sent: MAX_BILLABLE_CALLS allows none`;
  const all = `about ${over(calls)}, of which about ${count(billed)} succeed and are billed`;
  if (billableCalls >= calls.length) return all;
  return `${all}; at most ${count(billableCalls)} are sent: MAX_BILLABLE_CALLS`;
};

const destructive = (plan: Planned): string => {
  const calls = plan.sent.filter(({ isDestructive }) => isDestructive);
  if (calls.length === 0) return "none";
  const allowed = plan.target.permissions.destructive;
  return `about ${over(calls)}${allowed ? "" : "; none are sent: ALLOW_DESTRUCTIVE does not allow them"}`;
};

const FAILURES_THAT_LOCK = 5;
const REFUSALS = [401, 403];

const failedLogIns = (plan: Planned): string => {
  const logIns = sentTo(plan, ({ refusalHazards }) => refusalHazards.includes("locks-account"));
  const failed = logIns.filter(({ status }) => REFUSALS.includes(status));
  const onDisposable = failed.filter(({ isDisposable }) => isDisposable).length;
  const { locking, destructive: mayChange } = plan.target.permissions;
  const others = `about ${failed.length - onDisposable} on other or unknown partners, and never more than 4 on one partner`;
  if (onDisposable < FAILURES_THAT_LOCK) return `about ${onDisposable} on the disposable partner, ${others}`;
  const stop = locking && mayChange ? "" : ", not sent: ALLOW_LOCKING and ALLOW_DESTRUCTIVE do not allow it";
  return `about ${onDisposable} on the disposable partner, which locks it${stop}; ${others}`;
};

const over = (calls: readonly Sent[]): string => {
  const operations = new Set(calls.map(({ operationId }) => operationId)).size;
  return `${count(calls.length)}, of ${counted(operations, "operation")}`;
};

const coverageOf = ({ certificate, target }: Planned): string => {
  if (certificate === undefined) return "unknown: the dry run did not end";
  const hearsNothing = target.values.RECEIVER_PUBLIC_URL === undefined && !isHere(target);
  const deliveries = hearsNothing ? ", fewer without RECEIVER_PUBLIC_URL where deliveries are needed" : "";
  return `${coverageWords(certificate).replace("tried", "tries about")} requirements${deliveries}`;
};

/** Whether the target is on this machine, and reaches our receiver. */
const isHere = ({ baseUrls }: Target): boolean =>
  Object.values(baseUrls).every((url) => /^(127\.|localhost$|\[::1\])/.test(new URL(url).hostname));

const paceOf = (requests: number, { permissions: { requestsPerSecond } }: Target): string =>
  requestsPerSecond === undefined
    ? ""
    : `, in at least ${durationOf(requests / requestsPerSecond)} at MAX_REQUESTS_PER_SECOND=${requestsPerSecond}`;

const durationOf = (seconds: number): string =>
  seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;

/**
 * Returns what the run leaves on the target, because no operation removes it. The sandbox of the dry run accepts no
 * invalid request.
 */
const leftOn = ({ sent, contracts, target }: Planned): string => {
  const byOperation = requestsOf(sent);
  const left = contracts.flatMap((contract) =>
    contract.operations.flatMap((operation): [number, string][] => {
      const name = leftBy(contract, operation);
      const accepted = (byOperation.get(operation.operationId) ?? []).filter(
        ({ isKeptBack, status }) => !isKeptBack && status >= 200 && status < 300,
      );
      return name === undefined || accepted.length === 0 ? [] : [[accepted.length, name]];
    }),
  );
  return left.length === 0
    ? "nothing"
    : `about ${countedTogether(left)}: no operation removes them. If the target accepts invalid requests, at most ${target.permissions.lasting ?? LASTING_ALLOWED} more of each operation for each level of rules`;
};

const summaryOf = (made: readonly CreatedResource[]): string =>
  groupByTitle(made, ({ resource }) => resource)
    .sort(largestFirst)
    .map(({ title, items }) => `${count(items.length)} × ${title}`)
    .join(", ");
