/** Variants answer differently from the plain sandbox, as their rows state. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { NAMED_SETS, UnknownDeviationError } from "../../../mocks/engine/deviations/named.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { byReceipt, enroll, type Received } from "../support/sandbox-client.ts";

const contract = await loadContract("card-enrollment");

interface AnswersOfVariant {
  readonly success: Received;
  readonly refusal: Received;
}

const answersOf = async (variant?: string): Promise<AnswersOfVariant> => {
  const sandbox = await startSandbox({
    contracts: [contract],
    ...(variant !== undefined && { differences: [variant] }),
  });
  try {
    const success = await enroll(sandbox.environment, { body: byReceipt(sandbox.environment) });
    return { success, refusal: await enroll(sandbox.environment, { body: {} }) };
  } finally {
    await sandbox.close();
  }
};

test("every variant answers with the same statuses, and with other bodies", async () => {
  const plain = await answersOf();
  for (const { name } of NAMED_SETS) {
    const { success, refusal } = await answersOf(name);
    expect([name, success.status, refusal.status]).toEqual([name, 200, 400]);
    expect([name, success.text === plain.success.text, refusal.text === plain.refusal.text]).toEqual([
      name,
      false,
      false,
    ]);
  }
});

test("an unknown variant is an error that names the known ones", async () => {
  await expect(answersOf("quiet")).rejects.toThrow(UnknownDeviationError);
  await expect(answersOf("quiet")).rejects.toThrow(/talkative, terse, slow/);
});
