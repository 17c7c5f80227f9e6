/**
 * Runs in which the sandbox and the suite both use the provider's document instead of the built-in shapes. There is no
 * violation.
 */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import type { Depth } from "../../../helpers/trials/trial.ts";
import { trials as financialDataTrials } from "../../financial-data/trials.ts";
import { onSandbox, runAll, verdictsOf } from "../support/in-process.ts";
import { PROVIDER } from "../support/lanes.ts";
import { shared } from "../support/shared.ts";

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

for (const name of ["1.29.0", "1.30.0"]) {
  for (const [depth, suffixes] of Object.entries(DIFFERENT) as [Depth, readonly string[]][]) {
    test(
      `the sandbox with the shapes of ${name} meets the differing requirements, at ${depth} depth`,
      PROVIDER,
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

const heldAgainst = (pages: readonly TrialResult[]): string[] =>
  pages.flatMap(({ entries }) =>
    entries.flatMap(({ requirement, verdict, reason, failure }) =>
      verdict === "passed" || verdict === "not-tried"
        ? []
        : [`${verdict} ${requirement}: ${reason ?? failure?.message}`],
    ),
  );
