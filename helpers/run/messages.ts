/** What the processes of a run tell each other: one JSON text a line, over a loopback connection. */
import type { Socket } from "node:net";
import type { Change } from "../trials/made.ts";
import type { Sent } from "./tally.ts";

/** Where the hub listens, and the word that opens it: other users of the machine can connect as well. */
export interface HubAddress {
  readonly port: number;
  readonly word: string;
}

export type Question = { readonly ask: number } & (
  | { readonly for: "bill" | "turn" }
  | { readonly for: "log-in"; readonly account: string }
);

export type ToHub =
  | { readonly word: string }
  | { readonly change: Change }
  | { readonly sent: Sent }
  | { readonly loggedIn: string; readonly failed: boolean }
  | Question;

export interface FromHub {
  readonly answer: number;
  readonly granted: boolean;
}

export const tell = (socket: Socket, message: ToHub | FromHub): void => {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
};

export const listen = <Message>(socket: Socket, hear: (message: Message) => void): void => {
  let rest = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(JSON.parse(line) as Message);
  });
};
