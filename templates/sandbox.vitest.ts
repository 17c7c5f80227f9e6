// An integration test with vitest: the sandbox runs in the process of the test, and stops with it.
import { startSandbox } from "assay/sandbox";
import { expect, test } from "vitest";

const PLAN = "11111111-1111-4111-8111-111111111111";

const data = {
  installments: {
    offers: [
      {
        offerId: "offer-01",
        merchant: { merchantLegalName: "My Lamps", countryCode: "USA", acquirerICA: "001111" },
        transaction: { amount: 120, currency: "USD" },
      },
    ],
    plans: [{ planId: PLAN, offerId: "offer-01", status: "APPROVED" }],
  },
};

/** Stands for your client, which repeats a request after a lost connection. */
const statusOfPlan = async (base: string): Promise<string> => {
  const ask = () => fetch(`${base}/plans/${PLAN}`);
  const response = await ask().catch(ask);
  const { status } = (await response.json()) as { status: string };
  return status;
};

test("a lost connection does not lose the plan", async () => {
  await using sandbox = await startSandbox({ services: ["installments"], data });
  sandbox.trouble({ operation: "getPlan", connection: "dropped", nth: 1 });
  expect(await statusOfPlan(sandbox.baseUrls.installments)).toBe("APPROVED");
  sandbox.verify([{ operation: "getPlan", times: 2 }]);
  await sandbox.clock.advance(3600);
  expect(sandbox.deliveries).toEqual([]);
  expect(sandbox.data().installments?.plans).toMatchObject([{ planId: PLAN }]);
});
