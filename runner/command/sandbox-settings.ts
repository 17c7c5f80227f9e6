/** The settings of a sandbox that stands alone: its data, troubles, state and address. */
import type { Command } from "commander";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { checkedData, type SandboxData } from "../../mocks/engine/data/data.ts";
import { readSettings, type SettingsFile } from "../../mocks/engine/data/read-data.ts";
import { dataSeenIn } from "../../mocks/engine/data/seen.ts";
import type { SandboxOptions } from "../../mocks/engine/server.ts";
import { checkedTroubles } from "../../mocks/engine/trouble/troubles.ts";
import { type HttpsFlags, httpsOf, httpsOption } from "./https.ts";
import { recordedIn } from "./recording-file.ts";

export interface SandboxFlags extends HttpsFlags {
  readonly data?: string;
  readonly from?: string;
  readonly dumpData?: true;
  readonly trouble?: string;
  readonly state?: string;
  readonly host: string;
  readonly adminHost: readonly string[];
}

export const addSandboxOptions = (command: Command): Command =>
  command
    .option(
      "--data <file>",
      "the data to start with, with ids that you choose (YAML or JSON, by service; GET /__sandbox/data.schema.json describes it)",
    )
    .option(
      "--from <recording>",
      "a recording of a real server (see --record), a log of the proxy, or an HTTP archive. The sandbox starts with the resources of the recording, and repeats its answers to the same requests until a client changes these resources. The contract answers everything else; --data replaces what it names",
    )
    .option(
      "--dump-data",
      "print the data in the form of --data, and exit; GET /__sandbox/data prints it later",
    )
    .option(
      "--trouble <file>",
      "a list of troubles: latency, answer, connection (dropped, reset, half-written), for a service or operation, for the nth call or a share of calls. It is YAML or JSON, and GET /__sandbox/troubles.schema.json describes it. POST /__sandbox/troubles adds some later; the header x-sandbox-trouble asks for one, as JSON",
    )
    .option(
      "--state <file>",
      "keep the state in a file: read it at the start, write it after changes, and when the sandbox stops. It is written about 50 ms after a change, later if it is large, so that a sandbox that is killed loses these changes; it never leaves half a file",
    )
    .option(
      "--host <address>",
      "the address to listen on. With another than 127.0.0.1, everybody who reaches it can call the services, read and change all their data, and make the sandbox send deliveries to this machine. The admin interface remains limited to this machine (see --admin-host)",
      "127.0.0.1",
    )
    .option(
      "--admin-host <name>",
      "a host name or address under which other machines can use the admin interface too, and with it change everything; repeatable",
      (name: string, names: string[]) => [...names, name.toLowerCase()],
      [],
    )
    .addOption(httpsOption(". Without --cert"))
    .option("--cert <file>", "the certificate for --https and its private key, in PEM")
    .addHelpText("after", ADMIN);

const ADMIN = `
The admin interface is at /__sandbox; GET /__sandbox/openapi/admin.json describes it. It lists requests, deliveries, faults and
differences, verifies calls, moves the clock, adds troubles, and resets, snapshots and restores the state. GET
/__sandbox/openapi.json describes the mocked operations.

Without a process of its own, a test starts the sandbox with startSandbox() of assay/sandbox:

    await using sandbox = await startSandbox({ data, troubles });
    const client = connect(sandbox.baseUrls, sandbox.credentials);`;

/** @throws Error when a file cannot be used */
export const sandboxSettings = async (
  { data, from, trouble, state, host, adminHost, ...flags }: SandboxFlags,
  services: readonly Service[],
  contracts: readonly Contract[],
): Promise<{
  readonly options: Partial<SandboxOptions>;
  readonly told: SettingsFile["told"];
  readonly authority: string | undefined;
}> => {
  const dataFile = data === undefined ? undefined : await readSettings(data);
  const troubleFile = trouble === undefined ? undefined : await readSettings(trouble);
  const recorded = from === undefined ? undefined : await recordedIn(from, contracts);
  const seen = recorded && (await dataSeenIn(recorded.calls, contracts));
  const chosen = dataFile && (await dataFile.told(() => checkedData(dataFile.value, services)));
  const { tls, authority } = httpsOf(flags, [host, ...adminHost]);
  const options = {
    host,
    adminHosts: adminHost,
    ...((seen ?? chosen) && { data: merged(seen, chosen) }),
    ...(recorded && { recorded }),
    ...(troubleFile && {
      troubles: await troubleFile.told(() => checkedTroubles(troubleFile.value, contracts)),
    }),
    ...(state !== undefined && { stateFile: state }),
    ...(tls && { tls }),
  };
  return { options, told: dataFile?.told ?? (async (work) => work()), authority: authority?.file };
};

/** Returns the data that a recording shows, and in its place what the user chose. */
const merged = (seen: SandboxData = {}, chosen: SandboxData = {}): SandboxData =>
  Object.fromEntries(
    Object.keys({ ...seen, ...chosen }).map((service) => [service, { ...seen[service], ...chosen[service] }]),
  );
