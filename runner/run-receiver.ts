/** The receiver of a run: it listens on the port that the user gave, for all processes of the run. */
import type { Contract } from "../helpers/contract/contract.ts";
import { openSharedReceiver } from "../helpers/flows/shared-receiver.ts";
import { receiverPlace } from "../helpers/target/load-target.ts";
import type { PlannedRun } from "./planned-run.ts";

export type RunReceiver = Awaited<ReturnType<typeof openSharedReceiver>>;

/**
 * @returns `undefined` where no port was given, or nothing that is tested sends any deliveries
 * @throws ConfigurationError when the port can't be listened on
 */
export const openRunReceiver = async (
  { target, info }: PlannedRun,
  contracts: readonly Contract[],
): Promise<RunReceiver | undefined> => {
  const { port, publicUrl } = receiverPlace(target);
  const sends = contracts.some(({ service, requirements }) => {
    return info.services.includes(service) && requirements.some(({ subject }) => subject === "listener");
  });
  if (port === undefined || !sends || isIssuer(target)) return undefined;
  return openSharedReceiver({ port, ...(publicUrl !== undefined && { publicUrl }) });
};

/** There it is us who send them. */
const isIssuer = ({ values }: PlannedRun["target"]): boolean => values.INSTALLMENTS_ISSUER_URL !== undefined;
