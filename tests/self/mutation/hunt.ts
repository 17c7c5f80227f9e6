/** Hunts one fault: tries what is likeliest to show it first, and everything before it counts as survived. */
import { type LedgerPage, STRENGTH, type Verdict } from "../../../helpers/trials/ledger.ts";
import type { Depth, Trial } from "../../../helpers/trials/trial.ts";
import type { Fault } from "../../../mocks/fault.ts";
import type { HuntedFault } from "../../../reports/mutation.ts";
import type { Room } from "./room.ts";

/** How far a hunt goes: `near` tries only trials that name the violated requirement or the fault's operation. */
export type Reach = "near" | "everything";

export const hunt = async (room: Room, fault: Fault, reach: Reach = "everything"): Promise<HuntedFault> => {
  const started = performance.now();
  const seen: Trace = { strangers: [] };
  for (const { depth, trials } of stagesOf(room, fault, reach)) {
    await room.within({ depth, faults: [fault.id] }, async (session) => {
      for (const trial of trials) {
        look(await session.run(trial), fault, seen);
        if (seen.named !== undefined) return;
      }
    });
    if (seen.named !== undefined) break;
  }
  const [stranger] = seen.strangers;
  return {
    fault: fault.id,
    service: fault.service,
    violates: fault.violates,
    fate: seen.named !== undefined ? "by-name" : stranger !== undefined ? "by-another" : "survived",
    killer: seen.named ?? stranger ?? null,
    seconds: (performance.now() - started) / 1000,
  };
};

interface Kill {
  readonly requirement: string;
  readonly trial: string;
}

interface Trace {
  named?: Kill;
  readonly strangers: Kill[];
}

interface Stage {
  readonly depth: Depth;
  readonly trials: readonly Trial[];
}

const stagesOf = ({ trials, contract }: Room, fault: Fault, reach: Reach): Stage[] => {
  const naming = trials.filter(({ requirements }) => requirements.includes(fault.violates));
  const operations = operationsOf(fault, new Set(contract.operations.map(({ operationId }) => operationId)));
  const concerns = (trial: Trial): boolean => trial.operations.some((operation) => operations.has(operation));
  const near = [...naming.filter(concerns), ...naming.filter((trial) => !concerns(trial))];
  const stages: Stage[] = [
    { depth: "quick", trials: near },
    { depth: "standard", trials: near },
  ];
  const others = trials.filter((trial) => concerns(trial) && !naming.includes(trial));
  if (others.length > 0) stages.push({ depth: "quick", trials: others });
  return reach === "near" ? stages : [...stages, { depth: "standard", trials }];
};

/** The operations that a fault bends, or that its names speak of. */
const operationsOf = ({ id, bends }: Fault, known: ReadonlySet<string>): Set<string> => {
  const bent = bends.flatMap((bend) => {
    if (bend.kind === "request") return [bend.of.split("?")[0] ?? ""];
    if (bend.kind === "path" || bend.kind === "behaviour") return [];
    return bend.when.operationId ?? [];
  });
  return new Set([...bent, ...id.split(/[.-]/)].filter((name) => known.has(name)));
};

/** A deviation from what is assumed is an advisory, which is all that its requirement can come to. */
const look = (page: LedgerPage, { violates }: Fault, seen: Trace): void => {
  for (const { requirement, verdict } of page.entries) {
    if (STRENGTH.indexOf(verdict) < STRENGTH.indexOf("advisory" satisfies Verdict)) continue;
    const kill = { requirement, trial: page.trial };
    if (requirement === violates) seen.named ??= kill;
    else seen.strangers.push(kill);
  }
};
