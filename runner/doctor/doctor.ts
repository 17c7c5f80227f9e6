/**
 * Examines a target before a run: whether each service answers at its address, and accepts the configured credentials.
 * It sends at most twelve requests, and at most one log-in for each account.
 */
import type { Contract } from "../../helpers/contract/contract.ts";
import { type Client, createClient } from "../../helpers/exchange/client.ts";
import { createRedactor } from "../../helpers/exchange/redact.ts";
import type { SharedReceiver } from "../../helpers/flows/shared-receiver.ts";
import { loadGateways } from "../../helpers/gateway/load-gateway.ts";
import { loadBindings } from "../../helpers/target/bindings.ts";
import { requestTimeout } from "../../helpers/target/load-target.ts";
import type { Target } from "../../helpers/target/target.ts";
import { requestOf } from "../../helpers/trials/request.ts";
import { BAD_ARGUMENTS, EXIT_INCOMPLETE } from "../../reports/exit-code.ts";
import { diagnoseService } from "./diagnose-service.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { examineReceiver } from "./examine-receiver.ts";
import { type Ask, examineService } from "./examine-service.ts";
import type { OtherKey } from "./findings.ts";
import { withOtherKey } from "./other-keys.ts";

const MOST_REQUESTS = 12;

export const examine = async (
  target: Target,
  contracts: readonly Contract[],
  receiver?: SharedReceiver,
): Promise<Diagnosis> => {
  const began = performance.now();
  const bindings = await loadBindings(target);
  const gateways = loadGateways(target);
  const clients = new Map<OtherKey | undefined, Client>();
  const clientWith = (other?: OtherKey): Client => {
    const client =
      clients.get(other) ??
      createClient({
        prefix: "doctor",
        permissions: target.permissions,
        connections: 1,
        timeLimitMs: requestTimeout(target) * 1000,
        gateways: other === undefined ? gateways : withOtherKey(gateways, other),
      });
    clients.set(other, client);
    return client;
  };
  let requests = 0;
  const mayAsk = (): boolean => {
    if (requests >= MOST_REQUESTS) return false;
    requests += 1;
    return true;
  };
  const askAbout =
    (contract: Contract): Ask =>
    async (operation, call, other) =>
      mayAsk() ? clientWith(other).send(requestOf(contract, operation, target, call)) : undefined;
  const { text: redact } = createRedactor(target.values);
  const tested = contracts.filter(({ service }) => target.baseUrls[service] !== undefined);
  try {
    const diagnoses = await Promise.all(
      tested.map(async (contract) => {
        const examined = { contract, target, gateway: gateways[contract.service], bindings };
        return diagnoseService(await examineService(examined, askAbout(contract)), redact);
      }),
    );
    const deliveries = receiver === undefined ? [] : await examineReceiver(receiver, clientWith(), mayAsk);
    const all = [...diagnoses.flatMap(({ checked }) => checked), ...deliveries];
    return {
      checked: all.map((one) => ({ ...one, result: redact(one.result) })),
      causes: diagnoses.flatMap(({ causes }) => causes.map((one) => ({ ...one, text: redact(one.text) }))),
      requests,
      durationMs: performance.now() - began,
    };
  } finally {
    await Promise.all([...clients.values()].map((client) => client.close()));
  }
};

/** Returns the exit code: a wrong configuration first, because only the user can correct it. */
export const exitCodeFor = ({ causes }: Diagnosis): number => {
  if (causes.some(({ kind }) => kind === "configuration")) return BAD_ARGUMENTS;
  return causes.length > 0 ? EXIT_INCOMPLETE : 0;
};
