/** Judges the answers of a server in recorded traffic, by the checks of a run against a service. */

import { existsSync } from "node:fs";
import { createObserver } from "../../helpers/behaviour/observer.ts";
import { codeFile } from "../../helpers/contract/code.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { createValidator } from "../../helpers/contract/schema-validator.ts";
import { createRecorder } from "../../helpers/exchange/recorder.ts";
import type { Redactor } from "../../helpers/exchange/redact.ts";
import { isRedactedJson } from "../../helpers/exchange/shapes.ts";
import type { Seen } from "../../helpers/traffic/seen.ts";
import type { Policy } from "../../helpers/trials/from-contract/policy.ts";
import { observeResponse } from "../../helpers/trials/from-contract/responses.ts";
import { createJudge, type Judge } from "../../helpers/trials/judge.ts";
import type { TrialResult } from "../../helpers/trials/ledger.ts";
import { createOccasions } from "../../helpers/trials/occasions/occasions.ts";
import type { ObservedContext } from "../../helpers/trials/trial.ts";

export interface ServiceJudge {
  see(seen: Seen): void;
  results(): TrialResult[];
}

export const openServiceJudge = async (
  contracts: readonly Contract[],
  redactor: Redactor,
): Promise<ServiceJudge> => {
  const recorder = createRecorder(redactor);
  const services = new Map(
    await Promise.all(
      contracts.map(async (contract) => {
        const { service } = contract;
        const id = `answers of ${service}`;
        const observer = createObserver(contract, id, recorder);
        const judge = withoutRedacted(createJudge(contract, { id, service }, recorder, observer));
        const observe = observeResponse(await policyOf(service));
        const occasions = createOccasions(true).inTrial({ observe, runsAgain: false }, contract, judge);
        const validator = createValidator(contract);
        const context: ObservedContext = { contract, judge, validator, session: {}, capabilities: UNKNOWN };
        return [service, { judge, context, occasions }] as const;
      }),
    ),
  );
  return {
    see({ exchange, service, exercises }) {
      const judged = services.get(service);
      // The answers of exercises are not the answers of the server.
      if (judged === undefined || exchange.operationId === "" || exercises.length > 0) return;
      judged.judge.count(exchange);
      judged.occasions.observe(exchange, judged.context);
    },
    results: () =>
      contracts.flatMap((contract) => {
        const { judge, occasions } = services.get(contract.service) ?? {};
        occasions?.close();
        const result = judge?.result();
        if (result === undefined) return [];
        const known = new Set(result.entries.map(({ requirement }) => requirement));
        const others = contract.requirements.filter(({ id }) => !known.has(id));
        const entries = others.map(({ id, subject }) => ({
          requirement: id,
          verdict: "not-tried" as const,
          reason: reasonOf(subject),
          exchanges: 0,
        }));
        return [{ ...result, entries: [...result.entries, ...entries] }];
      }),
  };
};

/** Traffic does not show what its target offers. */
const UNKNOWN: ObservedContext["capabilities"] = { has: () => false };

const reasonOf = (subject: Contract["requirements"][number]["subject"]): string => {
  if (subject === "client") return "obliges the caller";
  return subject === "listener" ? "obliges the listener" : "the traffic does not show it";
};

/** Ignores violations by values that the recording redacted. */
const withoutRedacted = (judge: Judge): Judge => ({
  ...judge,
  record(requirement, result, exchanges, sequence) {
    if (result.holds) return judge.record(requirement, result, exchanges, sequence);
    const isRedacted = exchanges.some(
      ({ response }) => response !== undefined && isRedactedJson(response.body.toString("utf8")),
    );
    if (!isRedacted) judge.record(requirement, result, exchanges, sequence);
  },
});

const policyOf = async (service: Service): Promise<Policy> => {
  const NONE: Policy = { service, refusal: { statuses: [] } };
  if (!existsSync(new URL(codeFile(`../../fixtures/${service}/policy.ts`), import.meta.url))) return NONE;
  return ((await import(`../../fixtures/${service}/policy.ts`)) as { readonly policy: Policy }).policy;
};
