/** An input for each code of a reason that only the judges of callers and listeners give. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { createRecorder } from "../../../helpers/exchange/recorder.ts";
import { createRedactor } from "../../../helpers/exchange/redact.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { codesOf, OF_EXTENSIONS } from "../../../tests/self/reasons/others.ts";
import { contract, requirement } from "../../../tests/self/reports/reports-data.ts";
import { kindNamed, tryListeners } from "../certifying/listen.ts";
import { openCallerJudge } from "../certifying/policies.ts";
import type { CallerPolicy } from "../judging/check.ts";
import { createCallerJudge } from "../judging/judge.ts";

const own = await loadContract("card-enrollment");
const recorder = createRecorder(createRedactor({}, [own]));

/** Judges callers that sent nothing. */
const ofCallers = async (): Promise<string[]> => {
  const { judge } = await openCallerJudge([own], { [own.service]: "http://127.0.0.1:1" }, recorder);
  return codesOf(judge.results());
};

/** Judges a caller that sent one request. */
const ofCaller = (checks: CallerPolicy["checks"]): string[] => {
  const { service } = own;
  const contracts = [contract([requirement("a", { subject: "client" })])];
  const judge = createCallerJudge({ contracts, policies: [{ service, checks, unseen: {} }], recorder });
  judge.see({ service, exchange: { operationId: "putCard" } } as Seen, []);
  return codesOf(judge.results());
};

/** Tries a listener on this machine that nobody serves. */
const ofListener = async (probe: "counts-repeated-once" | "has-https"): Promise<string[]> => {
  const kind = await kindNamed("txpush");
  const given = await loadContract(kind.service);
  const options = { kind, contract: given, urls: ["http://127.0.0.1:1/"], timeLimitMs: 1_000 };
  return codesOf((await tryListeners({ ...options, only: [probe] })).results);
};

const GIVEN: Readonly<Record<string, () => unknown>> = {
  "client-silent": ofCallers,
  "lacks-option": () => ofListener("counts-repeated-once"),
  "lacks-public-url": () => ofListener("has-https"),
  "no-check": () => ofCaller([]),
  "not-enough": () =>
    ofCaller([{ a: { occasion: "", watch: ({ tell }) => tell.bind(undefined, "one request") } }]),
  "not-shown-by-traffic": ofCallers,
  "obliges-service": ofCallers,
};

for (const code of OF_EXTENSIONS)
  test(`the reason ${code} is given`, async () => expect([await GIVEN[code]?.()].flat()).toContain(code));
