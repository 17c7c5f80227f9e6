/** Judges responses of the test runner against the operations that they belong to. */
import type { APIResponse, Response } from "@playwright/test";
import type { Contract } from "../helpers/contract/contract.ts";
import type { Exchange } from "../helpers/exchange/exchange.ts";
import { jsonOf } from "../helpers/exchange/json-of.ts";
import { createRedactor } from "../helpers/exchange/redact.ts";
import { createCapture } from "../helpers/traffic/capture.ts";
import { createMatcher } from "../helpers/traffic/match.ts";
import type { LedgerEntry } from "../helpers/trials/ledger.ts";
import { openServiceJudge } from "../runner/caller/service-judge.ts";
import type { ContractJudge } from "./judging.ts";

export interface JudgeOptions {
  readonly contracts: readonly Contract[];
  readonly baseUrls: Readonly<Record<string, string>>;
  /** Returns the method of the request, if it is known. */
  readonly methodOf: (response: APIResponse | Response) => string | undefined;
  /** Gets each deviation from a requirement that no document states. */
  readonly onAdvisory: (message: string) => void;
}

export const createContractJudge = (options: JudgeOptions): ContractJudge => ({
  async expect(response, { operation } = {}) {
    const { contracts, baseUrls, onAdvisory } = options;
    const method = methodFor(response, operation, options);
    const exchange = await exchangeOf(response, method);
    const seen = createCapture(contracts, baseUrls)({ exchange, address: "", exercises: [] });
    if (seen === undefined || exchange === undefined) throw new Error(`${response.url()} is no service.`);
    const judge = await openServiceJudge(
      contracts.filter(({ service }) => service === seen.service),
      createRedactor({}),
    );
    judge.see(seen);
    const entries = judge.results().flatMap((result) => result.entries);
    for (const entry of entries) if (entry.verdict === "advisory") onAdvisory(wordsOf(entry));
    const failed = entries.filter(({ verdict }) => verdict === "failed");
    if (failed.length === 0) return;
    throw new Error(
      `${method} ${response.url()} (${response.status()}) does not keep the contract.\n${failed.map(wordsOf).join("\n")}`,
    );
  },
});

const wordsOf = ({ requirement, failure }: LedgerEntry): string =>
  `✗ ${requirement}\n  seen      ${failure?.message}\n  expected  ${failure?.expected}\n  got       ${failure?.actual}`;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Returns the method of the request. A response does not tell it, so the operations at its path are asked. */
const methodFor = (
  response: APIResponse | Response,
  wanted: string | undefined,
  { contracts, baseUrls, methodOf }: JudgeOptions,
): string => {
  const match = createMatcher(contracts, baseUrls);
  const url = new URL(response.url());
  const sent = methodOf(response);
  const fitting = (sent === undefined ? METHODS : [sent]).flatMap((method) => {
    const operationId = match(method, url)?.operation?.operationId;
    const isWanted = operationId !== undefined && (wanted === undefined || operationId === wanted);
    return isWanted ? [{ method, operationId }] : [];
  });
  const [first, second] = fitting;
  if (first === undefined) {
    const what = wanted === undefined ? "no operation" : `not the operation ${wanted}`;
    throw new Error(`${sent ?? "The response of"} ${response.url()} belongs to ${what} of a service.`);
  }
  if (second === undefined) return first.method;
  const names = fitting.map(({ operationId }) => operationId).join(", ");
  throw new Error(
    `Several operations have the path of ${response.url()}: give { operation } as one of ${names}.`,
  );
};

const exchangeOf = async (response: APIResponse | Response, method: string): Promise<Exchange> => {
  const body = await response.body();
  const headers = Object.fromEntries(
    Object.entries(response.headers()).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    ...{ id: "response", service: "", operationId: "", requestJson: undefined },
    request: { method, url: response.url(), headers: {} },
    response: { status: response.status(), headers, body, ...jsonOf(body) },
    startedAt: new Date(),
    durationMs: 0,
  };
};
