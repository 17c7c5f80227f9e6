/** A day of a client's developer: record a real server, play it back, type the client, and look at the page. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../../helpers/contract/contract.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { type Mock, ROOT, startMock, temporary } from "../../support/command.ts";
import { LONG } from "../../support/lanes.ts";
import { CHOSEN } from "./chosen-data.ts";

const { typesOf } = createRequire(import.meta.url)("../../../../package/types.cjs") as {
  typesOf(contract: Contract): Promise<string>;
};

const SERVICE = "installments";

/** A plan of the chosen data. */
const PLAN = "99999999-9999-4999-8999-999999999999";

const CLIENT = `
import type { Operations } from "./installments.d.ts";
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
const { INSTALLMENTS_BASE_URL: base = "", INSTALLMENTS_AUTHORIZATION: authorization = "" } = process.env;
type Get = Operations["getPlan"];
type Offer = Operations["postOffers"];
const headers = { authorization, "content-type": "application/json" };
const planOf = async ({ plan_id }: Get["path"]): Promise<Get["responses"][200]> =>
  (await fetch(base + "/plans/" + plan_id, { headers })).json();
const offersFor = async (body: Offer["body"]): Promise<Offer["responses"][200]> =>
  (await fetch(base + "/offers", { method: "POST", headers, body: JSON.stringify(body) })).json();
const { offers } = await offersFor({
  useCase: "DURING_PURCHASE",
  consumer: { panListId: "list-1", primaryAccountNumber: "5555341244441115" },
  merchant: { merchantLegalName: "My Lamps", countryCode: "USA", acquirerICA: "001111" },
  transaction: { amount: 250.25, currency: "USD" },
});
const { planId, offerId, status } = await planOf({ plan_id: "${PLAN}" });
console.log(JSON.stringify({ planId, offerId, status, offers: offers.map((offer) => offer.offerId) }));
export {};
`;

/** Compiles the client in strict mode. @returns the path of the program */
const compiledIn = async (folder: string): Promise<string> => {
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, `${SERVICE}.d.ts`), await typesOf(await loadContract(SERVICE)));
  await writeFile(join(folder, "client.ts"), CLIENT);
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const options = ["--ignoreConfig", "--strict", "--target", "esnext", "--module", "nodenext", "--types", ""];
  execFileSync(process.execPath, [tsc, ...options, "client.ts"], { cwd: folder, stdio: "inherit" });
  return join(folder, "client.js");
};

interface Ready extends Mock {
  readonly authority: string;
  readonly recording: string;
  readonly note: string;
}

const started = async (...args: readonly string[]): Promise<Ready> =>
  (await startMock(["--service", SERVICE, ...args])) as Ready;

test("a client is recorded, plays back what it saw, and is typed", LONG, async () => {
  const folder = await temporary();
  const data = join(folder, "data.json");
  await writeFile(data, JSON.stringify({ [SERVICE]: CHOSEN[SERVICE] }));
  const client = await compiledIn(folder);
  const real = await started("--data", data);
  const { [SERVICE]: url = "" } = real.baseUrls;
  const servers = [`${SERVICE}=${url}`, "financial-data=https://api.example.com"];
  const recorder = (await startMock(
    servers.flatMap((one) => ["--record", one]).concat("--https", "--out", folder),
  )) as Ready;
  const answersOf = ({ authority }: Ready, credentials: Mock["credentials"], base: string): unknown => {
    const env = { ...credentials, INSTALLMENTS_BASE_URL: base, NODE_EXTRA_CA_CERTS: authority };
    return JSON.parse(execFileSync(process.execPath, [client], { env, encoding: "utf8" }));
  };
  const seen = answersOf(recorder, real.credentials, recorder.baseUrls[SERVICE] ?? "");
  expect(seen).toMatchObject({ planId: PLAN, offerId: "offer-01", status: "APPROVED" });
  expect(await recorder.stop()).toBe(0);
  expect(await real.stop()).toBe(0);
  const log = await readFile(recorder.recording, "utf8");
  expect(log).not.toContain("my-merchants");
  expect(log).not.toContain("5555341244441115");
  const sandbox = await started("--from", recorder.recording, "--https");
  const base = sandbox.baseUrls[SERVICE] ?? "";
  expect(sandbox.note).toContain("Only these credentials count.");
  expect(answersOf(sandbox, sandbox.credentials, base)).toEqual(seen);
  expect(await sandbox.stop()).toBe(0);
});
