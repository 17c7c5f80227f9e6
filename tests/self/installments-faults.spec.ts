/** Every requirement on the installments service has a fault, and the trials see each. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../helpers/contract/load.ts";
import { STRENGTH, type Verdict } from "../../helpers/trials/ledger.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import type { Fault } from "../../mocks/fault.ts";
import { listFaults } from "../../mocks/faults.ts";
import { installmentsTrials } from "../installments/trials.ts";
import { onSandbox, verdictsOf } from "./support/in-process.ts";

const contract = await loadContract("installments");
const trials = installmentsTrials(contract);
const faults = listFaults([contract]);
const levels = new Map(contract.requirements.map(({ id, level }) => [id, level]));

/** `approvals`, `merchants`, …, and for what the rules of a body say, its operation. */
const areaOf = ({ violates }: Fault): string => violates.split(".")[1] ?? "";

for (const area of new Set(faults.map(areaOf))) {
  test(`every fault of ${area} shows in the requirement that it violates`, async () => {
    const survivors: string[] = [];
    for (const fault of faults.filter((one) => areaOf(one) === area)) {
      const seen = await verdictUnder(fault);
      if (seen !== expected(fault)) survivors.push(`${fault.id}: ${seen}`);
    }
    expect(survivors).toEqual([]);
  });
}

test("every requirement on the service that can be tried has a fault", () => {
  const violated = new Set(faults.map(({ violates }) => violates));
  const without = contract.requirements
    .filter(({ subject, observable }) => subject === "service" && observable !== "not-observable")
    .map(({ id }) => id)
    .filter((id) => !violated.has(id) && !id.startsWith("installments.postNotifications."));
  expect(without).toEqual([]);
});

const expected = ({ violates }: Fault) => (levels.get(violates) === "assumed" ? "advisory" : "failed");

/** The trials that name the requirement come first: as a rule one of them shows it. */
const verdictUnder = (fault: Fault): Promise<string> =>
  onSandbox({ contract, faults: [fault.id], depth: "quick" }, async (session) => {
    let strongest: Verdict | undefined;
    for (const trial of [...trials.filter(names(fault)), ...trials.filter((one) => !names(fault)(one))]) {
      const verdict = verdictsOf([await session.run(trial)]).get(fault.violates);
      if (verdict === undefined) continue;
      if (strongest === undefined || STRENGTH.indexOf(verdict) > STRENGTH.indexOf(strongest))
        strongest = verdict;
      if (strongest === expected(fault)) break;
    }
    return strongest ?? "no verdict";
  });

const names =
  ({ violates }: Fault) =>
  ({ requirements }: Trial): boolean =>
    requirements.includes(violates);
