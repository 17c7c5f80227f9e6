/** Starts a sandbox on first use, because many runs do not need one. */
import type { Contract } from "../helpers/contract/contract.ts";
import type { Embedded } from "./embedded.ts";

export const sandboxOnDemand = (contracts: readonly Contract[]) => {
  let started: Promise<Embedded | undefined> | undefined;
  const start = async (): Promise<Embedded> => (await import("./embedded.ts")).embedded(contracts);
  return {
    async values() {
      started ??= start().catch(() => undefined);
      return (await started)?.target.values;
    },
    close: async (): Promise<void> => (await started)?.close(),
  };
};
