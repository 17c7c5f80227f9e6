/** Opens a session in which a finding is shown again, and removes what it created. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import { withSituations } from "../../helpers/situations/offered.ts";
import { type Equipment, equip } from "../../helpers/situations/sandbox-capabilities.ts";
import { loadBindings } from "../../helpers/target/bindings.ts";
import type { Target } from "../../helpers/target/target.ts";
import { trackCreatedResources } from "../../helpers/trials/created-resources.ts";
import { openSession, type Session } from "../../helpers/trials/session.ts";
import type { Certificate } from "../../reports/certificate/certificate.ts";
import { print } from "../../reports/print.ts";
import { remainingLines, removedLine } from "../leftover-lines.ts";

export interface ReplayOptions {
  readonly contracts: readonly Contract[];
  readonly target: Target;
  /** The run that found the finding. */
  readonly run: Pick<Partial<Certificate>, "seed" | "depth">;
  readonly onExchange?: (exchange: Exchange) => void;
}

export const inReplaySession = async <Result>(
  { contracts, target: wanted, run, onExchange }: ReplayOptions,
  use: (session: Session) => Promise<Result>,
): Promise<Result> => {
  const { release, target, capabilities }: Equipment = await equip(wanted);
  const made = trackCreatedResources();
  let isCleaning = false;
  const session = openSession({
    target,
    capabilities: await withSituations(capabilities, wanted),
    contracts,
    bindings: await loadBindings(wanted),
    depth: run.depth ?? "standard",
    seed: run.seed ?? 1,
    prefix: "replay",
    tag: Date.now().toString(36).slice(-6),
    onChange: (change) => made.note(change),
    onExchange: (exchange) => {
      if (!isCleaning) onExchange?.(exchange);
    },
  });
  try {
    return await use(session);
  } finally {
    isCleaning = true;
    const created = made.all();
    // A copy of the sandbox ends with its data.
    const left = target === wanted ? await session.cleanUp(created) : [];
    if (target === wanted && created.length > 0) say(removedLine(created.length - left.length));
    for (const line of remainingLines(left)) say(line);
    await session.close();
    await release();
  }
};

const say = (text: string): void => print(`${text}\n`);
