/**
 * The coordinator of a run. Workers share its allowance and receiver, and report to it the resources that they create.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { isSame } from "../helpers/contract/json.ts";
import type { Risk, SharedAllowance } from "../helpers/exchange/allowance.ts";
import type { SharedReceiver } from "../helpers/flows/shared-receiver.ts";
import {
  type FromCoordinator,
  listen,
  type Question,
  type Reply,
  send,
  type ToCoordinator,
  writeDelivery,
} from "../helpers/run/messages.ts";
import type { Sent } from "../helpers/run/tally.ts";
import { type Take, takingAlone } from "../helpers/situations/take.ts";
import type { CreatedResources } from "../helpers/trials/created-resources.ts";
import type { RunPlan } from "../helpers/trials/run-info.ts";
import { createSharedTokens, type GivenToken, type SharedTokens } from "../helpers/trials/shared-tokens.ts";

export interface CoordinatorOptions {
  readonly plan?: () => RunPlan;
  readonly allowance: SharedAllowance;
  readonly made: CreatedResources;
  readonly onSent?: (sent: Sent) => void;
  /** Set if one receiver serves the whole run. */
  readonly receiver?: SharedReceiver | undefined;
}

/** @param options until they are known, the processes of the run wait for their first answer */
export const openCoordinator = async (options: CoordinatorOptions | Promise<CoordinatorOptions>) => {
  const word = randomUUID();
  const shared = { take: takingAlone(), tokens: createSharedTokens(), processes: new Set<Socket>() };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    void Promise.resolve(options).then((known) => attend(socket, word, known, shared));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The server must not keep the process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    address: { port, word },
    /** Closes every connection, which ends the processes at the other end. */
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

const attend = (
  socket: Socket,
  word: string,
  { plan, allowance, made, onSent, receiver }: CoordinatorOptions,
  {
    take,
    tokens,
    processes,
  }: {
    readonly take: Take;
    readonly tokens: SharedTokens;
    /** The connections of the processes that have shown the secret word. */
    readonly processes: Set<Socket>;
  },
): void => {
  const underWay: Risk[] = [];
  const attempted = (risk: Risk, harm: boolean): void => {
    const at = underWay.findIndex((one) => isSame(one, risk));
    if (at < 0) return;
    underWay.splice(at, 1);
    allowance.attempted(risk, harm);
  };
  const held: string[] = [];
  const release = (service: string, given?: GivenToken): void => {
    const at = held.indexOf(service);
    if (at < 0) return;
    held.splice(at, 1);
    tokens.release(service, given);
  };
  const onMessage = (): Reply => {
    if (receiver === undefined) return { granted: false };
    const stop = receiver.subscribe((delivery) =>
      send(socket, { delivery: writeDelivery(delivery) } satisfies FromCoordinator),
    );
    socket.once("close", stop);
    return { granted: true, signer: receiver.signer };
  };
  const grant = async (message: Question): Promise<Reply> => {
    if (message.for === "plan") return { granted: plan !== undefined, ...(plan && { plan: plan() }) };
    if (message.for === "attempt") {
      const granted = await allowance.attempt(message.risk);
      if (granted) underWay.push(message.risk);
      return { granted };
    }
    if (message.for === "spend") return { granted: await allowance.spend(message.service) };
    if (message.for === "spent") return { granted: allowance.isSpent() };
    if (message.for === "token") {
      const issued = await tokens.hold(message.service);
      held.push(message.service);
      return { granted: true, ...(issued && { issued }) };
    }
    if (message.for === "bill") {
      const calls = allowance.lease();
      return { granted: calls > 0, calls };
    }
    if (message.for === "deliveries") return onMessage();
    if (message.for === "situation") return { granted: true, position: await take(message.list) };
    await allowance.turn();
    return { granted: true };
  };
  listen<ToCoordinator>(socket, (message) => {
    if ("word" in message && message.word === word) processes.add(socket);
    if (!processes.has(socket)) socket.destroy();
    else if ("change" in message) made.note(message.change);
    else if ("probed" in message) {
      const { probed } = message;
      for (const other of processes) if (other !== socket) send(other, { probed } satisfies FromCoordinator);
    } else if ("sent" in message) onSent?.(message.sent);
    else if ("released" in message) release(message.released, message.given);
    else if ("unbilled" in message) allowance.giveBack(message.unbilled);
    else if ("attempted" in message) attempted(message.attempted, message.harm);
    else if ("ask" in message) {
      void grant(message).then((reply) =>
        send(socket, { answer: message.ask, ...reply } satisfies FromCoordinator),
      );
    }
  });
  // The result of an attempt is unknown if its process has ended, so it counts as harmful.
  socket.once("close", () => {
    processes.delete(socket);
    for (const risk of [...underWay]) attempted(risk, true);
    for (const service of [...held]) release(service);
  });
};
