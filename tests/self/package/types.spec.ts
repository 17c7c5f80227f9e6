/** The types for clients: a client that is typed with them compiles in strict mode, and a wrong one does not. */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { ROOT, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";

const { typesOf } = createRequire(import.meta.url)("../../../package/types.cjs") as {
  typesOf(contract: Contract): Promise<string>;
};

const CLIENTS: Readonly<Record<string, string>> = {
  "card-enrollment": `
import type { Operations } from "./card-enrollment.d.ts";
export const refusal = (answer: Operations["putCard"]["responses"]["400"]) => answer;
const wrong: Operations["putCard"]["body"] = { cards: [] };
`,
  "financial-data": `
import type { Customer, Events, Operations } from "./financial-data.d.ts";
export const nameOf = ({ username, firstName }: Customer): string => firstName ?? username;
export const idOf = (event: Events["WebhookNotification"]): string => event.eventId;
export const shown = (answer: Operations["GetCustomer"]["responses"][200]): string => nameOf(answer);
const wrong: Operations["AddTestingCustomer"]["body"] = { userName: "ada" };
`,
  installments: `
import type { Events, Operations } from "./installments.d.ts";
type Get = Operations["getPlan"];
export const statusOf = (plan: Get["responses"][200]): string => plan.status;
export const path = ({ plan_id }: Get["path"]): string => "/plans/" + plan_id;
export const planOf = ({ planId }: Events["PlanNotification"]): string => planId;
const wrong: Operations["postPlans"]["body"] = { offer: "1" };
`,
};

/** @returns the messages of the compiler */
const compiled = (folder: string, file: string): string => {
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const options = [
    ...["--ignoreConfig", "--pretty", "false"],
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "false",
    "--types",
    "",
    "--allowImportingTsExtensions",
  ];
  try {
    return execFileSync(process.execPath, [tsc, ...options, "--module", "nodenext", file], {
      cwd: folder,
      encoding: "utf8",
    });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
};

for (const [service, client] of Object.entries(CLIENTS))
  test(
    `a client of ${service} that is typed compiles in strict mode, and a wrong one does not`,
    service === "installments" ? {} : LONG,
    async () => {
      const folder = await temporary();
      await writeFile(join(folder, `${service}.d.ts`), await typesOf(await loadContract(service)));
      await writeFile(join(folder, "client.ts"), client);
      // The last line has a field that the contract does not have.
      expect(compiled(folder, "client.ts").match(/error TS\d+: .*/g)).toEqual([
        expect.stringContaining("does not exist in type"),
      ]);
      await writeFile(join(folder, "client.ts"), client.replace(/\nconst wrong.*/, ""));
      expect(compiled(folder, "client.ts")).toBe("");
    },
  );
