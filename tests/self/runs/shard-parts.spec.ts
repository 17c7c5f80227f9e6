/** Shards share the trials by measured cost. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { trialsOfShard } from "../../../helpers/run/shards.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { trialOrder } from "../../../reports/certificate/trial-order.ts";

for (const service of services()) {
  test(`shards of ${service} have each trial once, and about the same cost`, async () => {
    const { trials: of } = (await import(`../../${service}/trials.ts`)) as {
      trials(contract: unknown): readonly Trial[];
    };
    const trials = of(await loadContract(service));
    const order = trialOrder([service]);
    const requests = new Map(order.map(({ trial, requests: sent }) => [trial, sent]));
    const costOf = (some: readonly Trial[]) => some.reduce((sum, { id }) => sum + (requests.get(id) ?? 0), 0);
    for (const total of [2, 4, 7]) {
      const shards = Array.from({ length: total }, (_, at) =>
        trialsOfShard(trials, { index: at + 1, total }, order),
      );
      expect(shards.flat().length).toBe(trials.length);
      expect(new Set(shards.flat()).size).toBe(trials.length);
      const largest = Math.max(...shards.map(costOf));
      expect(largest).toBeLessThan((1.35 * costOf(trials)) / total);
      const sharing = new Set(trials.flatMap((trial) => trial.sharing ?? []));
      for (const name of sharing) {
        expect(shards.filter((shard) => shard.some((trial) => trial.sharing === name))).toHaveLength(1);
      }
    }
  });
}
