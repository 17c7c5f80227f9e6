/** Runs the listener checks against right and wrong listeners. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import { selfSigned } from "../../../helpers/flows/self-signed.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import { listenerKinds, tryListeners } from "../certifying/listen.ts";
import type { ListenerKind, ProbeName } from "../listener/kind.ts";
import { startListener } from "../subjects/listener.ts";
import { type ListenerRow, right, wrongOf } from "../subjects/listener-rows.ts";
import { RIGHT } from "../subjects/manners.ts";

/** @param isSample whether one wrong listener of each requirement is run, which gets only the probe that finds it */
export const listenerSubjects = async (contract: Contract, isSample: boolean) => {
  const kinds = (await listenerKinds()).filter(({ service }) => service === contract.service);
  const violated = new Set<string>();
  return kinds.flatMap((kind) =>
    [...right, ...wrongOf(kind.kind)].flatMap((row) => {
      const probe = row.probe as ProbeName | undefined;
      const violates = probe === undefined ? null : `${contract.service}.${kind.requirements[probe]}`;
      if (isSample && violates !== null && violated.has(violates)) return [];
      if (violates !== null) violated.add(violates);
      const only = isSample && probe !== undefined ? [probe] : undefined;
      return [
        { subject: `${kind.kind}: ${row.name}`, violates, run: () => tryOne(contract, kind, row, only) },
      ];
    }),
  );
};

/** The address that listeners have at the service. The requests go to the listener on this machine. */
const PUBLIC = "https://listener.example.com/events";

const TIME_LIMIT_MS = 5_000;
/** Longer than wrong listeners wait for the rest of a body. */
const PAUSE_MS = 200;

const tryOne = async (
  contract: Contract,
  kind: ListenerKind,
  { manners, url = PUBLIC }: ListenerRow,
  only: readonly ProbeName[] | undefined,
): Promise<readonly TrialResult[]> => {
  const listener = await startListener(
    { ...RIGHT, ...manners },
    url.startsWith("https:") ? selfSigned(new URL(url).hostname) : undefined,
  );
  try {
    const { results } = await tryListeners({
      kind,
      contract,
      urls: [url],
      timeLimitMs: TIME_LIMIT_MS,
      pauseMs: PAUSE_MS,
      effect: listener.effect,
      ...(only && { only }),
      connectTo: { host: listener.host, port: listener.port },
    });
    return results;
  } finally {
    await listener.close();
  }
};
