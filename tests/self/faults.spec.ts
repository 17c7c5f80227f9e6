/** Every requirement has a fault that violates just it, and the suite is run against each to show that it can fail. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../helpers/contract/load.ts";
import type { Depth, Trial } from "../../helpers/trials/trial.ts";
import type { Fault } from "../../mocks/fault.ts";
import { listFaults } from "../../mocks/faults.ts";
import { cardEnrollmentTrials } from "../card-enrollment/trials.ts";
import { onSandbox, verdictsOf } from "./support/in-process.ts";

const contract = await loadContract("card-enrollment");
const trials = cardEnrollmentTrials(contract);

/** What a fault is about, from its id: `request.consumer`, `response.maskedCard`, `auth`, … */
const areaOf = ({ id }: Fault): string => {
  const [, first = "", second = ""] = id.split(".");
  return ["request", "response"].includes(first) ? `${first}.${second}` : first;
};

const faults = listFaults([contract]);

for (const area of new Set(faults.map(areaOf))) {
  test(`every fault of ${area} fails the requirement that it violates`, async () => {
    const survivors: string[] = [];
    for (const fault of faults.filter((one) => areaOf(one) === area)) {
      const seen = await verdictUnder(fault);
      if (seen !== "failed") survivors.push(`${fault.id}: ${seen}`);
    }
    expect(survivors).toEqual([]);
  });
}

/** Few inputs to the trials that name the requirement show most faults; otherwise everything is tried. */
const verdictUnder = async (fault: Fault): Promise<string> => {
  const naming = trials.filter(({ requirements }) => requirements.includes(fault.violates));
  const others = trials.filter((trial) => !naming.includes(trial));
  const seen = await tryUnder(fault, "quick", naming);
  return seen === "failed" ? seen : tryUnder(fault, "standard", [...naming, ...others]);
};

const tryUnder = (fault: Fault, depth: Depth, chosen: readonly Trial[]): Promise<string> =>
  onSandbox({ contract, faults: [fault.id], depth }, async (session) => {
    const pages = [];
    for (const trial of chosen) {
      const page = await session.run(trial);
      if (verdictsOf([page]).get(fault.violates) === "failed") return "failed";
      pages.push(page);
    }
    return verdictsOf(pages).get(fault.violates) ?? "no verdict";
  });
