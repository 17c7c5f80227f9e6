/** Sends a delivery to our own receiver, through the address that the target uses. */
import { randomUUID } from "node:crypto";
import type { Client } from "../../helpers/exchange/client.ts";
import { statusOf } from "../../helpers/exchange/exchange.ts";
import type { SharedReceiver } from "../../helpers/flows/shared-receiver.ts";
import type { Checked } from "./diagnosis.ts";

/** The network may refuse a way out and back in, so a delivery that is lost proves nothing about the target. */
export const examineReceiver = async (
  { signer: { base, publicUrl }, subscribe }: SharedReceiver,
  client: Client,
  mayAsk: () => boolean,
): Promise<Checked[]> => {
  const row = (state: Checked["state"], result: string): Checked[] => [
    { of: "receiver", check: "deliveries", state, result },
  ];
  if (publicUrl === undefined) {
    return row("ok", "our receiver listens on this machine only: RECEIVER_PUBLIC_URL is not set");
  }
  if (!mayAsk()) return row("note", "not checked");
  const id = randomUUID();
  let arrived = false;
  const end = subscribe(({ path }) => {
    arrived ||= path.includes(id);
  });
  const sent = await client.send({
    service: "receiver",
    operationId: "delivery",
    method: "POST",
    url: `${base}/${id}`,
    json: {},
  });
  end();
  if (arrived) return row("ok", `a delivery to ${base} arrives`);
  const why = sent.failure?.message ?? `the answer ${statusOf(sent)} is not ours`;
  return row(
    "note",
    `a delivery from this machine does not arrive: ${why}; does RECEIVER_PUBLIC_URL lead to RECEIVER_PORT?`,
  );
};
