/** What the processes of a run send each other: one JSON text a line, over a loopback connection. */
import type { Socket } from "node:net";
import { type Delivery, jsonOf } from "../flows/delivery.ts";
import type { CallbackSigner } from "../flows/shared-receiver.ts";
import type { Change } from "../trials/created-resources.ts";
import type { RunPlan } from "../trials/run-info.ts";
import type { Sent } from "./tally.ts";

/** Where the coordinator listens, and the word that opens it: other users of the machine can connect as well. */
export interface CoordinatorAddress {
  readonly port: number;
  readonly word: string;
}

export type CoordinatorRequest =
  | { readonly for: "plan" | "bill" | "turn" | "deliveries" | "sandbox" }
  | { readonly for: "log-in"; readonly account: string };

export type Question = { readonly ask: number } & CoordinatorRequest;

export type ToCoordinator =
  | { readonly word: string }
  | { readonly change: Change }
  | { readonly sent: Sent }
  | { readonly loggedIn: string; readonly failed: boolean }
  | { readonly unbilled: number }
  | Question;

export interface Reply {
  readonly granted: boolean;
  /** How many billable calls may be made before the next is asked for. */
  readonly calls?: number;
  /** Configuration by environment name of what was asked for. */
  readonly values?: Readonly<Record<string, string>>;
  readonly plan?: RunPlan;
  /** Of the receiver that listens for the whole run. */
  readonly signer?: CallbackSigner;
}

export type FromCoordinator = ({ readonly answer: number } & Reply) | { readonly delivery: WrittenDelivery };

export interface WrittenDelivery extends Omit<Delivery, "receivedAt" | "body" | "json"> {
  readonly receivedAt: string;
  /** In base64: it need not be text. */
  readonly body: string;
}

export const writeDelivery = ({ json: _, receivedAt, body, ...rest }: Delivery): WrittenDelivery => ({
  ...rest,
  receivedAt: receivedAt.toISOString(),
  body: body.toString("base64"),
});

export const readDelivery = ({ receivedAt, body: text, ...rest }: WrittenDelivery): Delivery => {
  const body = Buffer.from(text, "base64");
  return { ...rest, receivedAt: new Date(receivedAt), body, json: jsonOf(body) };
};

export const send = (socket: Socket, message: ToCoordinator | FromCoordinator): void => {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
};

export const listen = <Message>(socket: Socket, onMessage: (message: Message) => void): void => {
  let rest = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onMessage(JSON.parse(line) as Message);
  });
};
