/** Runs the listener checks against right and wrong listeners. */

import type { Contract } from "../../../helpers/contract/contract.ts";
import { selfSigned } from "../../../helpers/flows/self-signed.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import { listenerKinds, tryListeners } from "../certifying/listen.ts";
import type { ListenerKind, ProbeName } from "../listener/kind.ts";
import { RIGHT, startListener } from "../subjects/listener.ts";
import { type ListenerRow, right, wrongOf } from "../subjects/listener-rows.ts";

export const listenerSubjects = async (contract: Contract) => {
  const kinds = (await listenerKinds()).filter(({ service }) => service === contract.service);
  const subject = (kind: ListenerKind, row: ListenerRow) => {
    const { probe } = row;
    const requirement = probe === undefined ? null : kind.requirements[probe as ProbeName];
    return {
      name: `${kind.kind}: ${row.name}`,
      /** The full id of the requirement that a wrong listener violates; `null` for a right one. */
      requirement: requirement === null ? null : `${contract.service}.${requirement}`,
      /** @param isSample whether a wrong listener gets only the probe that finds it */
      run: (isSample: boolean) =>
        tryOne(contract, kind, row, isSample && probe !== undefined ? [probe as ProbeName] : undefined),
    };
  };
  return kinds.flatMap((kind) => [
    ...right.map((row) => subject(kind, row)),
    ...wrongOf(kind.kind).map((row) => subject(kind, row)),
  ]);
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
