/** Asks for the settings of a target, and checks each answer when it is given. */
import type { Contract } from "../../helpers/contract/contract.ts";
import { createClient } from "../../helpers/exchange/client.ts";
import { isWithoutTls } from "../../helpers/exchange/failure.ts";
import { requireEncryption } from "../../helpers/flows/card-encryption.ts";
import { ConfigurationError, checkSetting, externalTarget } from "../../helpers/target/load-target.ts";
import { baseUrlName } from "../../helpers/target/names.ts";
import { print } from "../../reports/print.ts";
import { ignoreFile, isCommittable } from "./git-ignore.ts";
import { openPrompts } from "./prompts.ts";
import { type Unlocked, unlockedBy, unlockedText } from "./unlocks.ts";

export type Values = Record<string, string>;

/**
 * @param path the file that will have the answers
 * @throws ConfigurationError when the input ends
 */
export const askForSettings = async (path: string, contracts: readonly Contract[]): Promise<Values> => {
  const prompts = openPrompts();
  const values: Values = {};
  print("Press Enter to leave a setting out.\n");
  try {
    for (const contract of contracts) {
      for (const one of unlockedBy(contract)) {
        const address = baseUrlName(contract.service);
        if (one.name !== address && values[address] === undefined) break;
        const value = await rightAnswer(prompts, one, contract);
        if (value !== "") values[one.name] = value;
      }
    }
    if (isCommittable(path)) {
      const answer = await prompts.ask(`Add ${path} to .gitignore, because it has secrets (Y/n): `, false);
      if (!/^n/i.test(answer)) ignoreFile(path);
    }
  } finally {
    prompts.close();
  }
  return values;
};

/** Asks until the answer can be used, or is empty. */
const rightAnswer = async (
  prompts: ReturnType<typeof openPrompts>,
  one: Unlocked,
  contract: Contract,
): Promise<string> => {
  for (;;) {
    const value = await prompts.ask(`${one.name} (${one.meaning}; ${unlockedText(one)}): `, one.secret);
    const problem = value === "" ? undefined : await problemOf(one.name, value, contract);
    if (problem === undefined) return value;
    print(`✗ ${problem}\n`);
  }
};

const problemOf = async (name: string, value: string, { service }: Contract): Promise<string | undefined> => {
  try {
    checkSetting(name, value);
    await requireEncryption(externalTarget("", { [name]: value }), [service]);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return name === baseUrlName(service) && value.startsWith("https:")
    ? schemeProblem(service, value)
    : undefined;
};

/** An address that can't be reached now may be right, but one that speaks HTTP only can't. */
const schemeProblem = async (service: string, url: string): Promise<string | undefined> => {
  const { permissions } = externalTarget("", {});
  const client = createClient({ prefix: "init", permissions, timeLimitMs: LONGEST_WAIT_MS });
  const { failure } = await client.send({ service, operationId: "address", method: "GET", url });
  await client.close();
  return failure && isWithoutTls(failure) ? failure.message : undefined;
};

const LONGEST_WAIT_MS = 5_000;
