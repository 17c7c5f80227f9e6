/** `npm run mock -- --record URL`: stands before real servers, and keeps what it sees for a sandbox that plays it. */
import { mkdirSync } from "node:fs";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { jsonText } from "../../../helpers/exchange/visible.ts";
import { externalTarget } from "../../../helpers/target/load-target.ts";
import { baseUrlName } from "../../../helpers/target/names.ts";
import { note, print } from "../../../reports/print.ts";
import type { Https } from "../../../runner/command/https.ts";
import { openRecording } from "./recording.ts";
import { interrupted } from "./until.ts";

/**
 * Prints one line of JSON when ready, and ends with a signal.
 * @param options the contracts and base URLs of the services that are recorded
 * @throws Error when the port is taken
 */
export const recordServer = async (
  options: Https & {
    readonly contracts: readonly Contract[];
    readonly baseUrls: Readonly<Record<Service, string>>;
    readonly port: number;
    readonly out: string;
  },
): Promise<void> => {
  const { baseUrls, out, authority } = options;
  mkdirSync(out, { recursive: true });
  const own = Object.entries(process.env).flatMap(([name, value = ""]) =>
    value === "" ? [] : [[name, value]],
  );
  const urls = Object.entries(baseUrls).map(([service, url]) => [baseUrlName(service), url]);
  const recording = await openRecording({
    ...options,
    target: { ...externalTarget("recorded", Object.fromEntries([...own, ...urls])), baseUrls },
    tell: (message) => note(`! ${message}\n`),
  });
  const end = interrupted();
  const { proxy, environment, log } = recording;
  const line = { baseUrls: proxy.baseUrls, credentials: environment, recording: log };
  print(`${jsonText({ ...line, ...(authority && { authority: authority.file }) })}\n`);
  await end;
  await recording.end({});
};
