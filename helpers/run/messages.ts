/** The messages between the processes of a run: one JSON text per line, over a loopback connection. */
import type { Socket } from "node:net";
import type { Risk } from "../exchange/allowance.ts";
import { jsonOf } from "../exchange/json-of.ts";
import type { Delivery } from "../flows/delivery.ts";
import type { SharedReceiver } from "../flows/shared-receiver.ts";
import type { Change } from "../trials/created-resources.ts";
import type { RunPlan } from "../trials/run-info.ts";
import type { GivenToken, IssuedToken } from "../trials/shared-tokens.ts";
import type { Sent } from "./tally.ts";

/** The coordinator's port, and a secret word, because other users of the machine can connect too. */
export interface CoordinatorAddress {
  readonly port: number;
  readonly word: string;
}

export type CoordinatorRequest =
  | { readonly for: "plan" | "bill" | "turn" | "deliveries" | "spent" }
  | { readonly for: "attempt"; readonly risk: Risk }
  | { readonly for: "situation"; readonly list: string }
  | { readonly for: "spend" | "token"; readonly service: string };

export type Question = { readonly ask: number } & CoordinatorRequest;

export type ToCoordinator =
  | { readonly word: string }
  | { readonly change: Change }
  | { readonly sent: Sent }
  | { readonly probed: string }
  | { readonly attempted: Risk; readonly harm: boolean }
  | { readonly unbilled: number }
  | { readonly released: string; readonly given?: GivenToken }
  | Question;

export interface Reply {
  readonly granted: boolean;
  /** The number of billable calls in the lease. */
  readonly calls?: number;
  readonly plan?: RunPlan;
  /** The newest access token, if there is one. */
  readonly issued?: IssuedToken;
  /** The position of the next unused item of a list. */
  readonly position?: number;
  /** The signer of the run's shared receiver. */
  readonly signer?: SharedReceiver["signer"];
}

export type FromCoordinator =
  | ({ readonly answer: number } & Reply)
  | { readonly delivery: WrittenDelivery }
  | { readonly probed: string };

export interface WrittenDelivery extends Omit<Delivery, "receivedAt" | "body" | "json" | "numeric"> {
  readonly receivedAt: string;
  /** In base64, because it may be binary. */
  readonly body: string;
}

export const writeDelivery = (delivery: Delivery): WrittenDelivery => {
  const { json: _, numeric: __, receivedAt, body, ...rest } = delivery;
  return {
    ...rest,
    receivedAt: receivedAt.toISOString(),
    body: body.toString("base64"),
  };
};

export const readDelivery = ({ receivedAt, body: text, ...rest }: WrittenDelivery): Delivery => {
  const body = Buffer.from(text, "base64");
  return { ...rest, receivedAt: new Date(receivedAt), body, ...jsonOf(body) };
};

export const send = (socket: Socket, message: ToCoordinator | FromCoordinator): void => {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
};

export const listen = <Message>(socket: Socket, onMessage: (message: Message) => void): void => {
  let rest = "";
  // A small message would otherwise wait until the other end has acknowledged the one before, up to 40 ms.
  socket.setNoDelay();
  socket.setEncoding("utf8").on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onMessage(JSON.parse(line) as Message);
  });
};
