/** Whether a contract has a requirement. Contracts of other versions may lack some. */
import type { Contract } from "../../contract/contract.ts";
import { oncePer } from "../../contract/once.ts";

export const isStated = (contract: Contract, requirement: string): boolean =>
  idsOf(contract).has(requirement);

const idsOf = oncePer(({ requirements }: Contract) => new Set(requirements.map(({ id }) => id)));
