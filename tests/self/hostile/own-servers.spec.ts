/** The servers of the product itself, the receiver and the sandbox, against hostile clients. */
import { expect, test } from "@playwright/test";
import { openReceiver } from "../../../helpers/flows/receiver.ts";
import { startSandbox } from "../../../mocks/sandbox.ts";
import { ask, attack } from "./attacks.ts";

attack("sandbox", async () => {
  const sandbox = await startSandbox({ services: ["financial-data"] });
  const url = `${sandbox.baseUrls["financial-data"]}/institution/v2/institutions`;
  return { url, status: 401, close: sandbox.stop };
});

attack("receiver", async () => ({ ...(await openReceiver()), status: 204 }));

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
