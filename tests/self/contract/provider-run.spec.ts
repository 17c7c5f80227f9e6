/**
 * Runs in which the sandbox and the suite both use the provider's document instead of the built-in shapes. There is no
 * violation.
 */
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Depth, Trial } from "../../../helpers/trials/trial.ts";
import { trials as financialDataTrials } from "../../financial-data/trials.ts";
import { heldAgainst, onSandbox, runAll, verdictsOf } from "../support/in-process.ts";
import { isInSample, LONG, PROVIDER } from "../support/lanes.ts";
import { shared } from "../support/shared.ts";
import { type Json, ownDocument } from "./own-document.ts";

const ALLOWED = { ALLOW_DESTRUCTIVE: "true", ALLOW_LOCKING: "true", MAX_BILLABLE_CALLS: "1000" };

/** The requirements for which the provider's document is looser or stricter than the contract. */
const DIFFERENT: Readonly<Record<Exclude<Depth, "exhaustive">, readonly string[]>> = {
  quick: [
    "GenerateBalanceAnalyticsReport.success",
    "GenerateCashflowAnalyticsReport.success",
    "GenerateForesightAnalyticsNonCraReport.success",
    "VerifyMicroAmountDeposits.success",
    "auth.secret.min-length-12",
    "consumer.all-fields-required",
    "foresightAnalytics.account-types",
    "getCustomerAuthorizationDetails.error-3003",
    "getCustomerAuthorizationDetails.error-3004",
    "jointBorrower.both-in-one-session",
    "listWebhookSubscriptions.success",
    "reports.generate.request-bodies",
    "GetReportByCustomer.accept-pdf",
    "sequences.lists-agree",
  ],
  standard: [
    "CreateConsumer.request.shape",
    "GenerateStatementReport.request.shape",
    "GenerateVOIReport.request.shape",
    "ModifyConsumer.request.shape",
  ],
};

for (const [index, name] of ["1.29.0", "1.30.0"].entries()) {
  for (const [depth, suffixes] of Object.entries(DIFFERENT) as [Depth, readonly string[]][]) {
    test(
      `the sandbox with the shapes of ${name} meets the differing requirements, at ${depth} depth`,
      isInSample(index, 2) ? PROVIDER : { tag: [PROVIDER.tag, LONG.tag] },
      async () => {
        const providerFile = shared(`provider/financial-data-${name}.yaml`);
        const contract = await loadContract("financial-data", { providerFile });
        const wanted = new Set(suffixes.map((suffix) => `financial-data.${suffix}`));
        const trials = financialDataTrials(contract).filter(({ requirements }) =>
          requirements.some((requirement) => wanted.has(requirement)),
        );
        const pages = await onSandbox({ contract, depth, values: ALLOWED }, (session) =>
          runAll(session, trials),
        );
        expect(heldAgainst(pages)).toEqual([]);
        const verdicts = verdictsOf(pages);
        for (const requirement of wanted)
          expect([requirement, verdicts.get(requirement)]).toEqual([requirement, "passed"]);
      },
    );
  }
}

test("a list without a match may be empty, although the document demands an item", async () => {
  const served = await loadContract("financial-data");
  const document = ownDocument(served);
  const properties = document.components.schemas.Subscriptions?.properties as Record<string, Json>;
  properties.subscriptions = { ...properties.subscriptions, minItems: 1 };
  const providerFile = test.info().outputPath("document.json");
  await writeFile(providerFile, JSON.stringify(document));
  const contract = await loadContract("financial-data", { providerFile });
  const operationId = "listWebhookSubscriptions";
  const [trial] = financialDataTrials(contract).filter(({ id }) => id === `${operationId}/success`);
  const run: Trial["run"] = async (context) => void (await context.send({ operationId }));
  const pages = await onSandbox({ contract, served, occasions: false }, (session) =>
    runAll(session, [{ ...(trial as Trial), run }]),
  );
  const shape = `financial-data.${operationId}.response.shape`;
  expect(verdictsOf(pages).get(shape)).toBe("passed");
});

test("a rule that an example of its document breaks gives one advisory with both places", async () => {
  const served = await loadContract("financial-data");
  const document = ownDocument(served);
  const change = (schema: string, name: string, rule: Json): void => {
    const properties = document.components.schemas[schema]?.properties as Record<string, Json>;
    properties[name] = rule;
  };
  change("NewCustomer", "firstName", { type: "string", maxLength: 5, example: "Elisabeth" });
  change("CreatedCustomer", "createdDate", { type: "string", example: 1607450357 });
  const providerFile = test.info().outputPath("document.json");
  await writeFile(providerFile, JSON.stringify(document));
  const contract = await loadContract("financial-data", { providerFile });
  const trials = financialDataTrials(contract).filter(({ id }) => id.startsWith("AddTestingCustomer/"));
  const pages = await onSandbox({ contract, served }, (session) => runAll(session, trials));
  const shown = [...new Set(heldAgainst(pages))].map((one) => one.replace(/: [^:]*(?= was accepted)/, ""));
  const id = "financial-data.AddTestingCustomer";
  const [asked, answered] = [
    "/components/schemas/NewCustomer/properties/firstName",
    "/components/schemas/CreatedCustomer/properties/createdDate",
  ];
  const itself = "but the document contradicts itself:";
  expect(shown.sort()).toEqual([
    `advisory ${id}.request.shape: firstName was accepted, ${itself} ${asked}/maxLength: the example at ${asked}/example is "Elisabeth"`,
    `advisory ${id}.response.shape: createdDate must be string, ${itself} ${answered}/type: the example at ${answered}/example is 1607450357`,
  ]);
});
