/**
 * No false alarm: a right server, ours or one that differs from it in many permitted ways at once, of all kinds, fails no
 * requirement, with any seed and in any order of the trials.
 */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { differencesIn } from "../../../mocks/engine/deviations/catalogue.ts";
import type { Difference } from "../../../mocks/engine/deviations/deviation.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { choicesOf } from "../../../mutation/innocence.ts";
import { openWorkbench, trialsOf } from "../../../mutation/workbench.ts";
import { certify } from "../support/command.ts";
import { heldAgainst, onSandbox, runAll, verdictsOf } from "../support/in-process.ts";
import { isInSample, LONG, PROOF, seedsInLanes, sizeInLane } from "../support/lanes.ts";

/** Shares of all differences, in percent. */
const SHARES = [15, 30, 45, 60] as const;

/** The trial that may lock its account for the rest of the run, of which it is the last trial. */
const LOCKING = "partner-secret/life";

/** Draws a share of the differences, and at most one of those that exclude each other. */
const mixtures = (differences: readonly Difference[], share: number): fc.Arbitrary<string[]> => {
  const choices = choicesOf(differences).map((ids) =>
    fc.oneof(
      { weight: share, arbitrary: fc.constantFrom(...ids) },
      { weight: 100 - share, arbitrary: fc.constant(undefined) },
    ),
  );
  return fc.tuple(...choices).map((chosen) => chosen.filter((id) => id !== undefined));
};

/** Draws at least half of the trials in any order. */
const orders = (trials: readonly Trial[]): fc.Arbitrary<Trial[]> =>
  fc
    .shuffledSubarray([...trials], { minLength: Math.ceil(trials.length / 2) })
    .map((chosen) =>
      chosen.toSorted((one, other) => Number(one.id === LOCKING) - Number(other.id === LOCKING)),
    );

for (const [place, service] of services().entries()) {
  for (const [index, { seed, lane }] of seedsInLanes(1).entries()) {
    test(
      `mixture ${seed} of the permitted differences of ${service} fails no requirement`,
      isInSample(place + 2, services().length) ? lane : LONG,
      async () => {
        const contract = await loadContract(service);
        const workbench = await openWorkbench(contract);
        const share = SHARES[index % SHARES.length] ?? SHARES[0];
        const drawn = fc.tuple(
          mixtures(differencesIn(await listDeviations([contract])), share),
          orders(workbench.trials),
        );
        const [[differences, trials] = [[], []]] = fc.sample(drawn, { seed, numRuns: 1 });
        try {
          const depth = index % 5 === 4 ? "standard" : "quick";
          const isPlain = index % 3 === 2;
          const setting = { depth, seed, differences, ...(isPlain && { plain: true as const }) } as const;
          const results = await workbench.within(setting, (session) => runAll(session, trials));
          const wrong = heldAgainst(results).filter((one) => !one.startsWith("advisory"));
          expect(wrong, `with ${differences.join(",")}`).toEqual([]);
          // Otherwise nothing would have been shown. A server with names of its own may list no merchant.
          expect(differences).not.toEqual([]);
          const passed = [...verdictsOf(results).values()].filter((verdict) => verdict === "passed");
          expect(passed.length).toBeGreaterThanOrEqual(5);
        } finally {
          await workbench.close();
        }
      },
    );
  }
}

for (const [index, service] of services().entries()) {
  for (const { seed, lane } of seedsInLanes(1)) {
    const inLane = isInSample(index + 1, services().length) ? lane : LONG;
    test(`order ${seed} of the trials of ${service} finds no violation`, inLane, async () => {
      const contract = await loadContract(service);
      const [trials = []] = fc.sample(orders(await trialsOf(contract)), { seed, numRuns: 1 });
      const results = await onSandbox({ contract, seed, depth: "quick" }, (session) =>
        runAll(session, trials),
      );
      expect(heldAgainst(results)).toEqual([]);
      const passed = [...verdictsOf(results).values()].filter((verdict) => verdict === "passed");
      expect(passed.length).toBeGreaterThan(20);
    });
  }
}

/** The permitted reasons for not trying a requirement on the sandbox, which has everything that a test may need. */
const NOT_OURS = [
  "not observable",
  "obliges the caller",
  "obliges the listener",
  "obliges the issuer, which is our receiver here",
  "needs an experience whose brand, color, logo and icon are known: no response contains them",
  "the operation is still served, which the document also allows: this is only a remark",
  "the date from which on a purpose code is required has come",
  "the suite leaves out `minimum`: no first index is shown",
  "the suite leaves out `minimum`: no smallest page is shown",
  "the suite leaves out `maximum`: no largest page is shown",
];

for (let seed = 1; seed <= 20; seed++) {
  test(`a run with seed ${seed} is certified`, seed === 1 ? PROOF : LONG, async () => {
    const size = sizeInLane({
      sample: { args: ["--service", "installments"], passed: 60 },
      full: { args: [], passed: 1_400 },
    });
    const { code, certificate } = await certify(["--seed", String(seed), ...size.args]);
    expect([code, certificate.outcome]).toEqual([0, "certified"]);
    const others = certificate.requirements.filter(({ verdict }) => verdict !== "passed");
    expect(others.filter(({ reason }) => !NOT_OURS.includes(reason ?? ""))).toEqual([]);
    expect(certificate.summary.passed).toBeGreaterThan(size.passed);
  });
}
