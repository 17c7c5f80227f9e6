/** Opens sessions on a server that is not the sandbox. */
import { loadContract } from "../../../helpers/contract/load.ts";
import { NOTHING } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { openSession, type Session } from "../../../helpers/trials/session.ts";

export const SERVICE = "card-enrollment";

export const openOn = async (url: string): Promise<Session> =>
  openSession({
    target: targetOf("external", { CARD_ENROLLMENT_BASE_URL: url, CARD_ENROLLMENT_API_KEY: "a-key" }, false),
    capabilities: NOTHING,
    contracts: [await loadContract(SERVICE)],
    depth: "quick",
    seed: 1,
    prefix: "t0",
  });
