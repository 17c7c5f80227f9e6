/** The receiver of a run: it listens on the port that the user configured, for all processes of the run. */
import type { Service } from "../helpers/contract/contract.ts";
import { serviceDescriptor } from "../helpers/contract/services.ts";
import { openSharedReceiver } from "../helpers/flows/shared-receiver.ts";
import { isIssuer } from "../helpers/target/issuer.ts";
import { receiverPlace } from "../helpers/target/load-target.ts";
import type { Target } from "../helpers/target/target.ts";
import type { PlannedRun } from "./planned-run.ts";

export type RunReceiver = Awaited<ReturnType<typeof openSharedReceiver>>;

/**
 * @returns `undefined` if no port is configured, or if no tested service sends deliveries
 * @throws ConfigurationError when the receiver can't listen on the port
 */
export const openReceiver = async (
  target: Target,
  services: readonly Service[],
): Promise<RunReceiver | undefined> => {
  const { port, publicUrl } = receiverPlace(target);
  const sends = services.some((service) => serviceDescriptor(service).deliveries.length > 0);
  // An issuer receives our deliveries and sends none.
  if (port === undefined || !sends || isIssuer(target)) return undefined;
  return openSharedReceiver({ port, ...(publicUrl !== undefined && { publicUrl }) });
};

/** @throws ConfigurationError when the receiver can't listen on the port */
export const openRunReceiver = ({ target, info }: PlannedRun): Promise<RunReceiver | undefined> =>
  openReceiver(target, info.services);
