/**
 * A sandbox without faults convicts nobody: as a plain server, and with the situations of its own test data. The long
 * lane runs all trials, the other lanes a sample.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { stringify } from "yaml";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { sentenceOf } from "../../../helpers/reasons/reason.ts";
import { withSituations } from "../../../helpers/situations/offered.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { type LedgerEntry, strongestOf } from "../../../helpers/trials/ledger.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { openWorkbench, trialsOf } from "../../../mutation/workbench.ts";
import { embedded } from "../../../runner/embedded.ts";
import { temporary } from "../support/command.ts";
import { runAll, runAlone, verdictsOf } from "../support/in-process.ts";
import { LONG, PROOF, sizeInLane } from "../support/lanes.ts";

for (const service of services()) {
  for (const brings of ["nothing", "situations"] as const) {
    test(`a plain ${service} sandbox is not convicted if its user brings ${brings}`, PROOF, async () => {
      const contract = await loadContract(service);
      const { seeds, every, depth } = sizeInLane({
        sample: { seeds: [1], every: 12, depth: "quick" as const },
        full: { seeds: [1, 7, 42], every: 1, depth: "standard" as const },
      });
      const workbench = await openWorkbench(contract);
      const trials = workbench.trials.filter((_, index) => index % every === 0);
      const convictions: string[] = [];
      let passed = 0;
      try {
        for (const seed of seeds) {
          const situations = brings === "nothing" ? {} : { situations: await testDataOf(contract, seed) };
          await workbench.within({ depth, seed, plain: true, ...situations }, async (session) => {
            const entries = (await runAll(session, trials)).flatMap((result) => result.entries);
            passed += entries.filter(({ verdict }) => verdict === "passed").length;
            const bad = entries.filter(({ verdict }) => verdict === "failed" || verdict === "blocked");
            convictions.push(
              ...bad.map((one) => `${seed} ${JSON.stringify([one.requirement, one.verdict, one.reason])}`),
            );
          });
        }
      } finally {
        await workbench.close();
      }
      expect(convictions).toEqual([]);
      expect(passed).toBeGreaterThan(seeds.length * 10);
    });
  }
}

const USED = /an earlier run may have used the [a-z-]+: name another in SITUATIONS/;
const GONE = /no such customer|in SITUATIONS|a customer with linked accounts/;

/** What only a fresh target can show: the requirements, and why they are not tried in a later run. */
const ONLY_FRESH: readonly (readonly [requirements: RegExp, reason: RegExp])[] = [
  [/(ModifyPartnerSecret|auth\.secret|auth\.lockout-after-five)\b/, /can't sign in: it is locked/],
  [/sequences\.own-only$/, /refused the configured credentials/],
  [/sequences\.untouched-stays$/, USED],
  [/reports-stay-ended$|persists-after-customer-deletion$|removes-customer$/, /no sequence reached a state/],
  [/MigrateInstitutionLoginAccounts|getCustomerAuthorizationDetails\.|\.203-mfa$/, USED],
  [/standard-history-180-days$|older-needs-historic-load$/, USED],
  [/(no-consumer|consumer-required|without-consumer-refused|business-required|-for-cra)$/, USED],
  [/(DeleteCustomer(Account|AccountsByInstitutionLogin)?|RevokeThirdPartyAccessKey)\./, GONE],
  [/DisableTxPushNotifications\.|testing-accounts-only$/, GONE],
  [/\.own-resource$/, /second/],
];

/** The sample has the trials that change what a situation gives. */
const CHANGING = /(history|challenge|reconnection|fix|legacy|migration|pending|parties|delete-login)$/;

const AGAIN = services().flatMap((service) => [
  { service, depth: "quick" as const, lane: PROOF },
  { service, depth: "standard" as const, lane: LONG },
]);

for (const { service, depth, lane } of AGAIN) {
  test(
    `a plain ${service} sandbox fails and blocks no more when it is tried again at ${depth} depth`,
    lane,
    async () => {
      const contract = await loadContract(service);
      const SITUATIONS = await testDataOf(contract, 1);
      const isChosen = sizeInLane({ sample: ({ id }: Trial) => CHANGING.test(id), full: () => true });
      const trials = (await trialsOf(contract)).filter(isChosen);
      const { target, close } = await embedded([contract]);
      const external = targetOf("external", { ...target.values, SITUATIONS }, false);
      const equipment = await equip(external, { plain: true });
      const runs: ReadonlyMap<string, LedgerEntry>[] = [];
      // In another order, a trial gets what other trials have used before.
      for (const [run, order] of [trials, trials, trials.toReversed()].entries()) {
        const capabilities = await withSituations(equipment.capabilities, external);
        const setting = { ...equipment, capabilities, depth, occasions: false, tag: `run${run}` };
        const results = await runAlone(contract, order, setting);
        runs.push(strongestOf(results.flatMap(({ entries }) => entries)));
      }
      await close();
      const [first, ...later] = runs;
      const isExpected = ({ requirement, verdict, reason }: LedgerEntry): boolean =>
        verdict === "passed" ||
        verdict === first?.get(requirement)?.verdict ||
        (verdict === "not-tried" &&
          ONLY_FRESH.some(
            ([requirements, why]) =>
              requirements.test(requirement) && reason !== undefined && why.test(sentenceOf(reason)),
          ));
      expect(later.flatMap((run) => [...run.values()].filter((one) => !isExpected(one)))).toEqual([]);
    },
  );
}

/** A violation by a sandbox with a fault, and what it is if nobody states that the customer is untouched. */
const FAULTY = [
  ["transactions/history", "transactions.older-needs-historic-load", "without-load", "not-tried"],
  ["accounts/delete-account", "DeleteCustomerAccount.removes-access", "still-there", "failed"],
] as const;

for (const [trial, requirement, fault, unstated] of FAULTY)
  test(`${requirement} is ${unstated} unless the situations file states an untouched customer`, async () => {
    const contract = await loadContract("financial-data");
    const workbench = await openWorkbench(contract);
    const chosen = workbench.trials.filter(({ id }) => id === trial);
    const id = `financial-data.${requirement}`;
    for (const untouched of [false, true]) {
      const situations = await testDataOf(contract, 1, untouched);
      const setting = { depth: "quick", plain: true, situations, faults: [`${id}.${fault}`] } as const;
      const results = await workbench.within(setting, (session) => runAll(session, chosen));
      expect(verdictsOf(results).get(id)).toBe(untouched ? "failed" : unstated);
    }
    await workbench.close();
  });

/** Writes the situations that a plain sandbox with this seed has since its start. */
const testDataOf = async (contract: Contract, seed: number, untouched = false): Promise<string> => {
  const { testData, close } = await startSandbox({ seed, contracts: [contract], plain: true });
  await close();
  const items = {
    ...testData,
    "linked-customer": testData["linked-customer"]?.map((one) => ({ ...one, untouched })),
  };
  const file = join(await temporary(), "situations.yaml");
  await writeFile(file, stringify({ situations: items, capabilities: ["hosted-pages"] }));
  return file;
};
