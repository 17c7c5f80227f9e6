/** The servers of the product itself, the receiver and the sandbox, against hostile clients. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { openReceiver } from "../../../helpers/flows/receiver.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { ask, attack, type Server } from "./attacks.ts";

const sandboxServer = async (): Promise<Server> => {
  const contract = await loadContract("financial-data");
  const sandbox = await startSandbox({ contracts: [contract] });
  const url = `${sandbox.baseUrls[contract.service]}/institution/v2/institutions`;
  return { url, status: 401, close: sandbox.close };
};

const receiverServer = async (): Promise<Server> => {
  const receiver = await openReceiver();
  return { url: receiver.url, status: 204, close: receiver.close };
};

attack("receiver", receiverServer);
attack("sandbox", sandboxServer);

test("questions about an address of the receiver are not deliveries", async () => {
  const receiver = await openReceiver();
  const answers = await Promise.all(["HEAD", "OPTIONS"].map((method) => ask(receiver.url, method)));
  const stray = await ask(`${new URL(receiver.url).origin}/unknown`, "OPTIONS");
  expect(answers.map(({ statusCode, headers }) => [statusCode, headers.allow?.includes("POST")])).toEqual([
    [204, true],
    [204, true],
  ]);
  expect([stray.statusCode, receiver.deliveries]).toEqual([404, []]);
  await receiver.close();
});
