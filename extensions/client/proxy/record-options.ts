/** The options of `mock` with which it stands before real servers, and records them. */
import type { Command } from "commander";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";
import { httpsOf } from "../../../runner/command/https.ts";
import type { SandboxFlags } from "../../../runner/command/sandbox-settings.ts";
import type { recordServer } from "./record-server.ts";

export const addOptions = (command: Command): Command =>
  command
    .option(
      "--record <[SERVICE=]url>",
      "stand before the real server of a service at its base URL, and record its answers for --from, without secrets. `recording` in the first line is the file. Repeatable with the name of each service",
      (text: string, others: string[]) => [...others, text],
      [],
    )
    .option("--out <dir>", "with --record: the folder of the recording", "reports/out");

/** Loads the proxy only here, because the sandbox does not need it. */
export const run = async (
  flags: SandboxFlags &
    Omit<Parameters<typeof recordServer>[0], "baseUrls"> & { readonly record: readonly string[] },
): Promise<number | undefined> => {
  const { record, port, out, host, contracts } = flags;
  if (record.length === 0) return undefined;
  const baseUrls = recordedUrls(record, contracts);
  const own = { port, out, contracts: contracts.filter(({ service }) => service in baseUrls) };
  await (await import("./record-server.ts")).recordServer({ ...own, baseUrls, ...httpsOf(flags, [host]) });
  return 0;
};

/** @param texts one base URL, or several as SERVICE=URL */
const recordedUrls = (texts: readonly string[], contracts: readonly Contract[]): Record<Service, string> => {
  const services = contracts.map(({ service }) => service);
  return Object.fromEntries(
    texts.map((text) => {
      const named = services.find((service) => text.startsWith(`${service}=`));
      const [only, other] = services;
      if (named === undefined && (other !== undefined || texts.length > 1))
        throw new ConfigurationError(
          "--record: name the service of each server, as --record SERVICE=URL, or with --service.",
        );
      const url = named === undefined ? text : text.slice(named.length + 1);
      if (!/^https?:/.test(url) || !URL.canParse(url))
        throw new ConfigurationError(
          `--record: "${url}" is not a base URL, such as https://api.example.com/v1.`,
        );
      return [named ?? (only as Service), url];
    }),
  );
};
