/** Judges logs and HTTP archives of financial data in the process of the test. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { writeHar } from "../../../helpers/traffic/har-writer.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { temporary } from "../../../tests/self/support/command.ts";
import { type JudgeOptions, judgeFiles } from "../certifying/judge-files.ts";
import { CLOCK_PATH } from "../proxy/control.ts";
import { openRecording } from "../proxy/recording.ts";
import { createClient, type Habits, RIGHT } from "../subjects/financial-data/client.ts";
import * as scenes from "../subjects/financial-data/scenes.ts";
import { clockAt, sendByFetch } from "../subjects/setting.ts";

export const SERVICE = "financial-data";

/** Records clients one after the other, and returns the paths of the log and of the same as an archive. */
export const recorded = async (
  habits: readonly Partial<Habits>[],
): Promise<{ readonly log: string; readonly har: string; readonly secrets: readonly string[] }> => {
  const contract = await loadContract(SERVICE);
  const sandbox = await startSandbox({ contracts: [contract] });
  const target = targetOf("sandbox", sandbox.environment, true);
  const out = await temporary();
  const recording = await openRecording({ target, contracts: [contract], port: 0, out });
  const { environment, log = "", proxy } = recording;
  for (const [index, one] of habits.entries()) {
    const disposable = {
      FINANCIAL_DATA_PARTNER_ID: environment.FINANCIAL_DATA_DISPOSABLE_PARTNER_ID ?? "",
      FINANCIAL_DATA_PARTNER_SECRET: environment.FINANCIAL_DATA_DISPOSABLE_PARTNER_SECRET ?? "",
    };
    const own = { ...environment, ...(index > 0 && disposable) };
    const setting = {
      environment: own,
      clock: clockAt(`${proxy.origin}${CLOCK_PATH}`),
      send: sendByFetch,
      callbackUrl: "",
    };
    const client = createClient(setting, { ...RIGHT, ...one });
    await scenes.browse(client, 5);
    await scenes.newCustomer(client);
  }
  await recording.end({});
  await sandbox.close();
  const har = join(out, "traffic.har");
  await writeHar(log, har);
  return {
    log,
    har,
    secrets: [environment.FINANCIAL_DATA_PARTNER_SECRET ?? "", environment.FINANCIAL_DATA_APP_KEY ?? ""],
  };
};

interface Judged {
  readonly code: number;
  readonly caller: Certificate;
  readonly service: Certificate;
}

export const judged = (...files: readonly string[]): Promise<Judged> => judgedAs(SERVICE, files);

export const judgedAs = async (service: string, files: readonly string[]): Promise<Judged> =>
  judgedBy([await loadContract(service)], files);

export const judgedBy = async (
  contracts: readonly (Contract | undefined)[],
  files: readonly string[],
  more: Partial<Pick<JudgeOptions, "since" | "target">> = {},
): Promise<Judged> => {
  const out = await temporary();
  const { exitCode: code } = await judgeFiles({
    files,
    contracts: contracts.filter((one) => one !== undefined),
    target: undefined,
    out,
    baseline: { failOn: "violation" },
    ...more,
  });
  const read = async (path: string) => JSON.parse(await readFile(join(out, path), "utf8")) as Certificate;
  return { code, caller: await read("certificate.json"), service: await read("service/certificate.json") };
};

export const violated = ({ requirements }: Certificate): string[] =>
  requirements.filter(({ verdict }) => verdict === "failed" || verdict === "advisory").map(({ id }) => id);
