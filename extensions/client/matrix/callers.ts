/** Runs a client against a sandbox behind the recording proxy, and returns the verdicts on it. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { EVERYTHING_ALLOWED } from "../../../runner/embedded.ts";
import { CLOCK_PATH } from "../proxy/control.ts";
import { exercisesNamed } from "../proxy/exercises.ts";
import { openRecording } from "../proxy/recording.ts";
import { clockAt, type RightClient, sendByFetch, type WrongClient } from "../subjects/setting.ts";

export const callersOf = async (service: Service) =>
  (await import(`../subjects/${service}/callers.ts`)) as {
    readonly right: readonly RightClient[];
    readonly wrong: readonly WrongClient[];
  };

/** Opens a sandbox for the clients of one service; each client gets its own tenant. */
export const openCallerBench = async (contract: Contract) => {
  const sandbox = await startSandbox({ contracts: [contract] });
  const origin = `http://127.0.0.1:${sandbox.port}`;
  const listener = createServer((incoming, outgoing) => {
    incoming.resume().once("end", () => outgoing.writeHead(200).end());
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const callbackUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;

  return {
    /**
     * @param exercises ids without the service, or `all`
     * @param out the folder for a log; no log is written if absent
     * @returns the results, the exercises, the path of the log, and the error that ended the client
     */
    async run(client: Pick<RightClient, "run">, exercises: readonly string[], out?: string) {
      const { tenant, environment } = await admin(origin, "tenants", {});
      const values = environment as Record<string, string>;
      const asked = { tenant, situation: "micro-deposits-arrived" };
      const { environment: arranged } = await admin(origin, "situations", asked);
      const target = targetOf("sandbox", { ...values, ...EVERYTHING_ALLOWED }, true);
      const recording = await openRecording({
        target,
        contracts: [contract],
        port: 0,
        ...(out !== undefined && { out }),
        exercises: await exercisesNamed([contract], exercises),
      });
      const { proxy, judge } = recording;
      const setting = {
        environment: { ...recording.environment, ...microDeposits(arranged) },
        clock: clockAt(`${proxy.origin}${CLOCK_PATH}`),
        send: sendByFetch,
        callbackUrl,
      };
      await setting.clock.now();
      const error = await client.run(setting).then(undefined, (reason: Error) => reason);
      const ending = { exitCode: error === undefined ? 0 : 1 };
      await recording.end(ending);
      return {
        results: judge.results(),
        exercises: recording.exercises(),
        log: recording.log,
        ...(error && { error }),
      };
    },
    async close(): Promise<void> {
      listener.closeAllConnections();
      listener.close();
      await sandbox.close();
    },
  };
};

/** Posts to the admin interface of the sandbox. */
const admin = async (origin: string, path: string, body: object): Promise<Record<string, unknown>> => {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${origin}/__sandbox/${path}`, init);
  return (await response.json()) as Record<string, unknown>;
};

/** Returns the arranged micro deposits, if the service has any. */
const microDeposits = (arranged: unknown): Record<string, string> => {
  const values = Object.entries((arranged ?? {}) as Record<string, string>);
  const named = (end: string): string => values.find(([name]) => name.endsWith(end))?.[1] ?? "";
  return {
    MICRO_CUSTOMER_ID: named("_CUSTOMER_ID"),
    MICRO_ACCOUNT_ID: named("MICRO_DEPOSIT_ACCOUNT_ID"),
    MICRO_AMOUNTS: named("MICRO_AMOUNTS"),
  };
};
