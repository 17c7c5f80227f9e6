/** The rule that every check must follow. To add a check, add a row that shows it pass and fail. */
import { expect } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import type { CheckResult } from "../../../helpers/exchange/check-result.ts";
import { type Client, createClient } from "../../../helpers/exchange/client.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { ALLOW_ALL } from "../support/loopback.ts";
import { admin, type Environment } from "../support/sandbox-client.ts";

export interface CheckSandbox {
  readonly environment: Environment;
  /** Sends an enrollment. */
  enroll(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Exchange>;
  /** Arranges a situation of the sandbox. @returns the configuration that selects it */
  arrange(situation: string): Promise<Environment>;
}

export interface CheckRule {
  /** The file of the check, without `.ts`. */
  readonly check: string;
  /** The function in the file. */
  readonly name: string;
  /** A fault that makes the check fail. */
  readonly fault: string;
  /** Makes the exchanges that the check reads. */
  readonly play: (sandbox: CheckSandbox) => Promise<readonly Exchange[]>;
  readonly judge: (exchanges: readonly Exchange[]) => CheckResult | undefined;
}

/** Expects the check to pass on the clean sandbox, to fail on its fault, and to give the same verdict twice. */
export const expectCheckRule = async (checkRule: CheckRule, contract: Contract): Promise<void> => {
  const clean = await withSandbox(contract, [], checkRule.play);
  expect(checkRule.judge(clean)?.holds).toBe(true);
  const faulty = await withSandbox(contract, [checkRule.fault], checkRule.play);
  const result = checkRule.judge(faulty);
  expect(result).toMatchObject({ holds: false });
  for (const text of [result?.message, result?.expected, result?.actual]) expect(text).toMatch(/\S/);
  expect(checkRule.judge(faulty)).toEqual(result);
  expect(checkRule.judge(clean)?.holds).toBe(true);
};

const withSandbox = async (
  contract: Contract,
  faults: readonly string[],
  play: CheckRule["play"],
): Promise<readonly Exchange[]> => {
  const sandbox = await startSandbox({ seed: 7, faults, contracts: [contract] });
  const client = createClient({ prefix: "t0", permissions: ALLOW_ALL });
  try {
    return await play(stageOf(contract, sandbox, client));
  } finally {
    await client.close();
    await sandbox.close();
  }
};

const stageOf = (
  contract: Contract,
  { environment, port }: Awaited<ReturnType<typeof startSandbox>>,
  client: Client,
): CheckSandbox => ({
  environment,
  enroll: (json, headers) =>
    client.send({
      service: contract.service,
      operationId: "putCard",
      method: "POST",
      url: `${environment.CARD_ENROLLMENT_BASE_URL}/cards`,
      headers: { "x-openapi-clientid": environment.CARD_ENROLLMENT_API_KEY ?? "", ...headers },
      json,
    }),
  async arrange(situation) {
    const { json } = await admin(port, "POST", "/__sandbox/situations", { situation });
    return (json as { environment: Environment }).environment;
  },
});

/** A check that reads no exchange of the three services, with an example of each verdict. */
export interface ExampleCheckRule extends Pick<CheckRule, "check" | "name"> {
  readonly right: () => CheckResult | undefined;
  readonly wrong: () => CheckResult | undefined;
}

/** Expects the check to pass on the right example, to fail on the wrong one, and to give the same verdict twice. */
export const expectExamples = ({ right, wrong }: ExampleCheckRule): void => {
  expect(right()?.holds).toBe(true);
  const result = wrong();
  expect(result).toMatchObject({ holds: false });
  for (const text of [result?.message, result?.expected, result?.actual]) expect(text).toMatch(/\S/);
  expect(wrong()).toEqual(result);
};
