/** Each gap of a service is shown by a permitted difference: nobody may be convicted for what the documents leave open. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { differencesIn } from "../../../mocks/engine/deviations/catalogue.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";

for (const service of services()) {
  test(`each gap of ${service} is named by a permitted difference`, async () => {
    const { gaps, named } = await gapsOf(service);
    expect(gaps.filter((subject) => !named.includes(subject))).toEqual([]);
  });

  test(`the permitted differences of ${service} name no unknown gap`, async () => {
    const { gaps, named } = await gapsOf(service);
    expect(named.filter((subject) => !gaps.includes(subject))).toEqual([]);
  });
}

const gapsOf = async (service: string) => {
  const contract = await loadContract(service);
  const differences = differencesIn(await listDeviations([contract]));
  return {
    gaps: contract.gaps.map(({ subject }) => subject),
    named: [...new Set(differences.flatMap(({ gaps }) => gaps))],
  };
};
