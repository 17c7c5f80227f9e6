/**
 * Examines a target before a run: whether each service answers at its address, and accepts the configured credentials.
 * It makes at most twelve calls, with at most one log-in for each account, and sends them as a run does.
 */
import type { Contract } from "../../helpers/contract/contract.ts";
import { getOrInsert } from "../../helpers/contract/memoize.ts";
import { createClient } from "../../helpers/exchange/client.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import { createRedactor } from "../../helpers/exchange/redact.ts";
import type { SharedReceiver } from "../../helpers/flows/shared-receiver.ts";
import { loadGateways } from "../../helpers/gateway/load-gateway.ts";
import { throughGateways } from "../../helpers/gateway/through-gateway.ts";
import { loadBindings } from "../../helpers/target/bindings.ts";
import { requestTimeout } from "../../helpers/target/load-target.ts";
import type { Target } from "../../helpers/target/target.ts";
import { createEndurance } from "../../helpers/trials/endurance.ts";
import { createSending } from "../../helpers/trials/sending.ts";
import { BAD_ARGUMENTS, EXIT_INCOMPLETE } from "../../reports/certificate/exit-code.ts";
import { quoted } from "./answers.ts";
import { logInOf } from "./calls.ts";
import { diagnoseService } from "./diagnose-service.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { examineReceiver } from "./examine-receiver.ts";
import { type Ask, examineService } from "./examine-service.ts";
import type { OtherKey } from "./findings.ts";
import { withOtherKey } from "./other-keys.ts";

const MOST_CALLS = 12;

export const examine = async (
  target: Target,
  contracts: readonly Contract[],
  receiver?: SharedReceiver,
): Promise<Diagnosis> => {
  const began = performance.now();
  const bindings = await loadBindings(target);
  const gateways = loadGateways(target);
  const endurance = createEndurance();
  let requests = 0;
  const open = (other?: OtherKey) => {
    const client = createClient({
      prefix: "doctor",
      permissions: target.permissions,
      connections: 1,
      timeLimitMs: requestTimeout(target) * 1000,
      ...throughGateways(other === undefined ? gateways : withOtherKey(gateways, other)),
      onExchange: () => {
        requests += 1;
      },
    });
    const sending = createSending({
      ...{ client, target, bindings, endurance },
      isDisposable: false,
      onChange: undefined,
    });
    return { client, sending };
  };
  const opened = new Map<OtherKey | undefined, ReturnType<typeof open>>();
  const through = (other?: OtherKey) => getOrInsert(opened, other, () => open(other));
  let calls = 0;
  const mayAsk = (): boolean => {
    calls += 1;
    return calls <= MOST_CALLS;
  };
  const askAbout =
    (contract: Contract): Ask =>
    async (operation, call, other) => {
      if (!mayAsk()) return undefined;
      const { sending } = through(other);
      return operation === logInOf(contract)
        ? sending.logIn(contract, operation, call)
        : sending.send({ contract, access: () => undefined }, operation, call);
    };
  const { text: redact } = createRedactor(target.values, contracts);
  const quote = (exchange: Exchange): string => quoted(exchange, redact);
  const tested = contracts.filter(({ service }) => target.baseUrls[service] !== undefined);
  try {
    const diagnoses = await Promise.all(
      tested.map(async (contract) => {
        const gateway = gateways[contract.service];
        const found = await examineService(
          { contract, target, quote },
          gateway,
          bindings,
          askAbout(contract),
        );
        return diagnoseService(found);
      }),
    );
    const deliveries =
      receiver === undefined ? [] : await examineReceiver(receiver, through().client, mayAsk);
    const all = [...diagnoses.flatMap(({ checked }) => checked), ...deliveries];
    return {
      checked: all.map((one) => ({ ...one, result: redact(one.result) })),
      causes: diagnoses.flatMap(({ causes }) => causes.map((one) => ({ ...one, text: redact(one.text) }))),
      requests,
      durationMs: performance.now() - began,
    };
  } finally {
    await Promise.all([...opened.values()].map(({ client }) => client.close()));
  }
};

/** Returns the exit code: a wrong configuration first, because only the user can correct it. */
export const exitCodeFor = ({ causes }: Diagnosis): number => {
  if (causes.some(({ kind }) => kind === "configuration")) return BAD_ARGUMENTS;
  return causes.length > 0 ? EXIT_INCOMPLETE : 0;
};
