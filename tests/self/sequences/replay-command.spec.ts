/** `npm run replay` as the user sees it: it asks the server of the certificate, and shows what proves the finding. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { startSandbox } from "../../../mocks/sandbox.ts";
import { largeCertificate } from "../reports/large-certificate.ts";
import { run, runIn, temporary } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";

test("replay tries a finding of the embedded sandbox on a new one", QUICK, async () => {
  const file = join(await temporary(), "certificate.json");
  const requirement = "card-enrollment.auth.whole-interface";
  const finding = { id: "f-1", requirement, message: "it is shown" };
  const target = { name: "sandbox", embedded: true, baseUrls: {} };
  const certificate = { ...largeCertificate({ requirements: 1, findings: 0 }), target, findings: [finding] };
  await writeFile(file, JSON.stringify(certificate));
  const { code, stdout } = await run("replay", [file, "f-1"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("1. putCard: POST /")]);
  expect(stdout).toContain("\nasked        a new embedded sandbox\n");
  expect(stdout).toContain("The finding does not occur any more.");
  const unknown = await run("replay", [file, "f-2"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("Its findings are: f-1.")]);
});

const FAULT = "financial-data.GetCustomers.paging.start-ignored";

const envFile = (settings: Readonly<Record<string, string>>): string =>
  Object.entries({ ...settings, MAX_REQUESTS_PER_SECOND: "100000" })
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

test("replay asks the server of the last certificate, and marks the requests that prove the finding", async () => {
  const services = ["financial-data"];
  await using guilty = await startSandbox({ services, faults: [FAULT], plain: true });
  await using right = await startSandbox({ services, plain: true });
  const folder = await temporary();
  const settings = join(folder, ".env.mine");
  await writeFile(settings, envFile(guilty.credentials));
  const selection = ["--target", "mine", "--requirement", "financial-data.GetCustomers.paging"];
  expect(await runIn(folder, "certify", selection)).toMatchObject({ code: 1 });

  const again = await runIn(folder, "replay", ["f-1"]);
  expect(again).toMatchObject({ code: 1, stderr: "" });
  expect(again.stdout).toContain(`\nasked        mine, ${guilty.baseUrls["financial-data"]}\n`);
  expect(again.stdout.match(/^✗ .*$/gm)).toEqual([
    expect.stringMatching(/^✗ \d+\. GetCustomers: GET \S+\?\S*start=\S+ → 200, which shows the finding$/),
  ]);

  await writeFile(settings, envFile(right.credentials));
  const elsewhere = await runIn(folder, "replay", ["reports/out/certificate.json", "f-1"]);
  expect(elsewhere).toMatchObject({ code: 0, stderr: "" });
  expect(elsewhere.stdout).toContain(
    `${right.baseUrls["financial-data"]}; the certificate is about ${guilty.baseUrls["financial-data"]}\n`,
  );
  const lost = await runIn(folder, "replay", ["f-1", "--target", "nobody"]);
  expect(lost).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(".env.nobody") });
  const unnamed = await runIn(folder, "replay", ["reports/out/certificate.json"]);
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining("Which finding?") });
});
