/**
 * The requirement that a fault violates detects the fault. The long lane tests every fault, the other lanes a sample.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { catalogueDigest, faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import type { Fault } from "../../../mocks/engine/deviations/deviation.ts";
import { listDeviations, sandboxService } from "../../../mocks/engine/services.ts";
import { runFault } from "../../../mutation/run-fault.ts";
import { openWorkbench } from "../../../mutation/workbench.ts";
import { readScores } from "../../../reports/certificate/scores.ts";
import { count } from "../../../reports/text.ts";
import { ROOT } from "../support/command.ts";
import { isInSample, PROOF, sizeInLane } from "../support/lanes.ts";

const contracts = await Promise.all(services().map((service) => loadContract(service)));

/** The ends of the ids of derived faults that name their kind, for every requirement, operation and location. */
const KINDS = [
  "not-enforced|off-by-one|(boundary|longer|shorter)-\\w+|demanded|refused|missing|wrong-type|outside-\\w+",
  "too-\\w+|above-\\w+|below-\\w+|other-success|failing|open|forbidden|accepted|without-\\w+",
  "(text|number)-as-\\w+|trimmed|any-letter-case|scheme-optional|any-(day-number|hour-or-minute)|other-notations",
  "(start|end)-not-matched|counted-in-bytes|first-items-only",
  "(own-resource|distinct-ids)\\.cached-by-operation|simultaneous-calls-mixed",
];
const KIND = new RegExp(`(${KINDS.join("|")})$`);

const kindOf = ({ id, effects: [effect] }: Fault): string => {
  const edit = effect?.kind === "request" ? Object.entries(effect.edit)[0]?.join(" ") : effect?.kind;
  return `${KIND.exec(id)?.[0] ?? id} ${edit?.replace(/\d+$/, "")}`;
};

/** Some handwritten faults, the first derived fault of every sixth kind, and some of the other derived faults. */
const chosenOf = async (contract: Contract): Promise<Fault[]> => {
  const rows = (await sandboxService(contract.service)).deviations;
  const written = new Set(rows.map(({ violates, name }) => `${contract.service}.${violates}.${name}`));
  const kinds = new Set<string>();
  let count = 0;
  let repeated = 0;
  return faultsIn(await listDeviations([contract])).filter((fault) => {
    if (written.has(fault.id)) return isInSample(count++, 90);
    const kind = kindOf(fault);
    if (kinds.has(kind)) return isInSample(repeated++, 140);
    kinds.add(kind);
    return isInSample(kinds.size, 6);
  });
};

/** The number of faults per test: small enough to run in parallel and to end long before a test's time limit. */
const PART = 25;

for (const contract of contracts) {
  const chosen = await chosenOf(contract);
  const parts = Math.ceil(chosen.length / PART);
  for (let part = 0; part < parts; part++) {
    test(
      `faults of ${contract.service} fail the requirement they violate, part ${part + 1}`,
      PROOF,
      async () => {
        const faults = sizeInLane({ sample: chosen, full: faultsIn(await listDeviations([contract])) });
        const workbench = await openWorkbench(contract);
        const others: string[] = [];
        try {
          for (const fault of faults.filter((_, index) => index % parts === part)) {
            const { status, evidence } = await runFault(workbench, fault);
            if (status !== "by-name") others.push(`${fault.id}: ${status} ${evidence[0]?.requirement ?? ""}`);
          }
        } finally {
          await workbench.close();
        }
        expect(others).toEqual([]);
      },
    );
  }

  test(`faults of ${contract.service} have unique ids and name known requirements`, async () => {
    const known = new Set(contract.requirements.map(({ id }) => id));
    const faults = faultsIn(await listDeviations([contract]));
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
    const odd = faults.filter(
      ({ id, violates }) => !known.has(violates) || !/^\.[\w-]+$/.test(id.slice(violates.length)),
    );
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test(`the score of ${contract.service} is up to date, and proves every requirement that passes`, async () => {
    const score = readScores().find(({ kind, service }) => kind === "fault" && service === contract.service);
    expect(score?.catalogue, "run `npm run mutation -- --keep` and commit reports/matrix-scores.json").toBe(
      catalogueDigest(await listDeviations([contract]), contract),
    );
    expect(score?.found).toBe(score?.wrong);
    expect(score?.unproved).toEqual([]);
    expect((score?.byName ?? 0) / (score?.wrong ?? 1)).toBeGreaterThanOrEqual(0.99);
  });
}

test("the documents state the kept scores of the matrix", () => {
  const scores = readScores().filter(({ kind }) => kind === "fault");
  const [found, wrong] = (["found", "wrong"] as const).map((figure) =>
    count(scores.reduce((sum, score) => sum + score[figure], 0)),
  );
  const page = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), "utf8");
  expect(page("docs", "proof.md")).toContain(`| ${found} of ${wrong}, each by`);
  expect(page("README.md")).toContain(`all ${wrong} faults`);
});
