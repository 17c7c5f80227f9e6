/** Every requirement that a run judges can be selected with --requirement: at least one trial names it. */
import { expect, test } from "@playwright/test";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { trials as cardEnrollmentTrials } from "../../card-enrollment/trials.ts";
import { trials as financialDataTrials } from "../../financial-data/trials.ts";
import { trials as installmentsTrials } from "../../installments/trials.ts";
import { PROVIDER } from "../support/lanes.ts";
import { shared } from "../support/shared.ts";

const SERVICES: readonly (readonly [Service, (contract: Contract) => Trial[], string?])[] = [
  ["card-enrollment", cardEnrollmentTrials],
  ["installments", installmentsTrials],
  ["installments", installmentsTrials, "installments-2.0.0.yaml"],
  ["financial-data", financialDataTrials],
  ["financial-data", financialDataTrials, "financial-data-1.29.0.yaml"],
  ["financial-data", financialDataTrials, "financial-data-1.35.0.yaml"],
];

for (const [service, trialsOf, document] of SERVICES) {
  test(
    `each requirement of ${service}${document === undefined ? "" : ` with ${document}`} is named by a trial`,
    document === undefined ? {} : PROVIDER,
    async () => {
      const providerFile = document === undefined ? {} : { providerFile: shared(`provider/${document}`) };
      const contract = await loadContract(service, providerFile);
      const named = new Set(trialsOf(contract).flatMap(({ requirements }) => requirements));
      const tried = contract.requirements.filter(
        ({ subject, observable }) => subject === "service" && observable !== "not-observable",
      );
      const unnamed = tried.map(({ id }) => id).filter((id) => !named.has(id));
      expect(unnamed).toEqual([]);
    },
  );
}
