/** Judges responses of tests against the operations that they belong to. */
import { INTERRUPTIONS } from "../helpers/checks/documented-status.ts";
import type { Contract, Operation } from "../helpers/contract/contract.ts";
import { createRecorder } from "../helpers/exchange/recorder.ts";
import { createRedactor } from "../helpers/exchange/redact.ts";
import { createCapture } from "../helpers/traffic/capture.ts";
import { createMatcher } from "../helpers/traffic/match.ts";
import { strongestOf } from "../helpers/trials/ledger.ts";
import { openServiceJudge } from "../runner/service-judge.ts";
import { answerOf, exchangeOf, type JudgedAnswer } from "./answer.ts";
import type { Advisories, ContractJudge, JudgedRequirement, JudgedResponse } from "./judging.ts";

export interface JudgeOptions {
  readonly contracts: readonly Contract[];
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly advisories: Advisories;
  /** Returns the method of the request, if it is known. */
  readonly methodOf: (response: JudgedResponse) => string | undefined;
  /** Gets each deviation from a requirement that no document states. */
  readonly onAdvisory: (message: string) => void;
}

/** The result for one requirement. */
interface RequirementResult extends Pick<JudgedRequirement, "id" | "level"> {
  readonly verdict: JudgedRequirement["verdict"] | "failed";
  readonly failure?: { readonly message: string; readonly expected: string; readonly actual: string };
}

export const createContractJudge = (options: JudgeOptions): ContractJudge => ({
  async expect(response, { operation: wanted, advisories = options.advisories } = {}) {
    const answer = await answerOf(response);
    const found = operationOf(answer, options.methodOf(response), wanted, options);
    const rows = await judged(found, answer, options);
    const head = `${found.method} ${answer.url} (${answer.status})`;
    const deviations = rows.filter(({ verdict }) => verdict === "advisory");
    const failed = rows.filter(({ verdict }) => verdict === "failed");
    if (advisories === "fail") failed.push(...deviations);
    if (failed.length > 0) {
      throw new Error(`${head} does not keep the contract.\n${failed.map(wordsOf).join("\n")}`);
    }
    if (rows.length === deviations.length) {
      throw new Error([`No requirement judges ${head}. ${ADVICE}`, ...rows.map(wordsOf)].join("\n"));
    }
    for (const row of deviations) options.onAdvisory(wordsOf(row));
    const requirements = rows.map(({ id, level, verdict, failure }) => ({
      ...{ id, level, verdict: verdict as JudgedRequirement["verdict"] },
      ...(failure && { message: failure.message }),
    }));
    return { operation: found.operation.operationId, requirements };
  },
});

const ADVICE = "If the document leaves this open, give the provider's own: contracts: { SERVICE: FILE }.";

const wordsOf = ({ id, failure }: RequirementResult): string =>
  `✗ ${id}\n  seen      ${failure?.message}\n  expected  ${failure?.expected}\n  got       ${failure?.actual}`;

interface FoundOperation {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly method: string;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Returns the operation of a response. If the method of its request is not known, the operations at its path are asked. */
const operationOf = (
  { url }: JudgedAnswer,
  sent: string | undefined,
  wanted: string | undefined,
  { contracts, baseUrls }: JudgeOptions,
): FoundOperation => {
  const match = createMatcher(contracts, baseUrls);
  const fitting = (sent === undefined ? METHODS : [sent]).flatMap((method) => {
    const { operation, service } = match(method, new URL(url)) ?? {};
    const contract = contracts.find((one) => one.service === service);
    if (operation === undefined || contract === undefined) return [];
    return wanted === undefined || operation.operationId === wanted ? [{ contract, operation, method }] : [];
  });
  const [first, second] = fitting;
  if (first === undefined) {
    const what = wanted === undefined ? "no operation" : `not the operation ${wanted}`;
    throw new Error(`${sent ?? "The response of"} ${url} belongs to ${what} of a service.`);
  }
  if (second === undefined) return first;
  const names = fitting.map(({ operation }) => operation.operationId).join(", ");
  throw new Error(`Several operations have the path of ${url}: give { operation } as one of ${names}.`);
};

/** Returns the strongest result for each requirement by which the response can be judged. */
const judged = async (
  found: FoundOperation,
  answer: JudgedAnswer,
  { baseUrls }: JudgeOptions,
): Promise<RequirementResult[]> => {
  const { contract, method } = found;
  const redactor = createRedactor({}, [contract]);
  const judge = await openServiceJudge([contract], createRecorder(redactor));
  const capture = createCapture([contract], baseUrls, redactor);
  const seen = capture({ exchange: exchangeOf(answer, method), address: "", exercises: [] });
  if (seen !== undefined) judge.see(seen);
  const levels = new Map(contract.requirements.map(({ id, level }) => [id, level]));
  const rows = new Map<string, RequirementResult>();
  for (const [id, { verdict, failure }] of strongestOf(judge.results().flatMap(({ entries }) => entries))) {
    if (verdict === "not-tried" || verdict === "blocked") continue;
    rows.set(id, { id, level: levels.get(id) ?? "assumed", verdict, ...(failure && { failure }) });
  }
  const others = [...rows.values()].filter(({ id }) => id !== statusesOf(found));
  return [
    ...others,
    ...statusRow(found, answer, rows.get(statusesOf(found))),
    ...emptyBodyRow(found, answer),
  ];
};

const statusesOf = ({ operation: { service, operationId } }: FoundOperation): string =>
  `${service}.${operationId}.documented-statuses`;

/**
 * Returns the result for the status. If no document lists the statuses, or the status asks to wait, a run lets nearly any
 * status pass, which shows nothing.
 */
const statusRow = (
  { operation }: FoundOperation,
  { status }: JudgedAnswer,
  row: RequirementResult | undefined,
): RequirementResult[] => {
  const { operationId, responses } = operation;
  const isListed = Object.hasOwn(responses, status);
  if (row?.verdict !== "passed") return row === undefined ? [] : [row];
  if (row.level !== "assumed") return isListed || !INTERRUPTIONS.includes(status) ? [row] : [];
  if (isListed) return [];
  const message = `${operationId} answered with ${status}, which the contract does not list`;
  const expected = `one of ${Object.keys(responses).join(", ")}`;
  return [{ ...row, verdict: "advisory", failure: { message, expected, actual: `${status}` } }];
};

/** Returns the violation of a response without a body, if the contract shows one. */
const emptyBodyRow = (
  { contract, operation, method }: FoundOperation,
  { status, body }: JudgedAnswer,
): RequirementResult[] => {
  const types = Object.keys(operation.responses[status]?.content ?? {});
  const id = `${operation.service}.${operation.operationId}.response.shape`;
  const level = contract.requirements.find((one) => one.id === id)?.level;
  if (level === undefined || body.length > 0 || method === "HEAD") return [];
  if (types.length === 0 || !types.every((type) => type.includes("json"))) return [];
  const message = `a ${status} response has no body`;
  const failure = { message, expected: `a body of ${types.join(" or ")}`, actual: "no body" };
  return [{ id, level, verdict: level === "assumed" ? "advisory" : "failed", failure }];
};
