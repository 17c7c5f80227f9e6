/** Reads the settings that a command needs later, so that a wrong one ends it before the first request. */
import type { Contract } from "../../helpers/contract/contract.ts";
import { loadBindings } from "../../helpers/target/bindings.ts";
import { receiverPlace, requestTimeout } from "../../helpers/target/load-target.ts";
import type { Target } from "../../helpers/target/target.ts";
import { operationIds } from "../planned-run.ts";

/** @throws ConfigurationError */
export const readSettings = async (target: Target, contracts: readonly Contract[]): Promise<void> => {
  requestTimeout(target);
  receiverPlace(target);
  if (!target.embedded) {
    const { requireEncryption } = await import("../../helpers/flows/card-encryption.ts");
    const tested = contracts.filter(({ service }) => target.baseUrls[service] !== undefined);
    await requireEncryption(
      target,
      tested.map(({ service }) => service),
    );
  }
  await loadBindings(target, contracts.flatMap(operationIds));
  if (target.values.SITUATIONS !== undefined)
    (await import("../../helpers/situations/file.ts")).loadSituations(target);
};
