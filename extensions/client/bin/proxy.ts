/** `npm run proxy`: records a caller in front of the embedded sandbox or a target, and judges it. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { defined } from "../../../helpers/contract/json.ts";
import { ENCODINGS } from "../../../helpers/gateway/gateway.ts";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";
import { hostIn } from "../../../mocks/engine/admin/outsiders.ts";
import { openAuthority } from "../../../mocks/engine/gateway/authority.ts";
import { createCommand } from "../../../runner/command/command.ts";
import { httpsOf, httpsOption } from "../../../runner/command/https.ts";
import { parseList, parseWhole } from "../../../runner/command/options.ts";
import { runCommand } from "../../../runner/command/run-command.ts";
import { extended } from "../../../runner/extensions.ts";
import { addCallerOptions, type CallerFlags, readCallerOptions } from "../certifying/caller-options.ts";
import { type ProxyFlags, runProxy } from "../proxy/run-proxy.ts";

interface Flags extends CallerFlags, ProxyFlags {
  readonly https?: true;
  readonly host?: string;
  /** `signature=rfc` */
  readonly require?: string;
}

const main = async (): Promise<number> => {
  const command = (await extended(commandLine, "server or sandbox")).parse();
  const flags = command.opts<Flags>();
  const options = await readCallerOptions(flags);
  const encoding = ENCODINGS.find((one) => flags.require === `signature=${one}`);
  const { target, close } =
    options.target === undefined
      ? await (await import("../../../runner/embedded.ts")).embedded(options.contracts)
      : { target: options.target, close: async () => {} };
  try {
    const host = flags.host === undefined ? undefined : hostName(flags.host);
    const https = httpsOf(
      { ...(flags.https && { https: true }) },
      host === undefined ? [] : [hostIn(`http://${host}/`)],
    );
    // Clients that use the addresses of an HTTPS target get answers from the proxy in its name.
    const isSecure = Object.values(target.baseUrls).some((url) => url?.startsWith("https:"));
    const authority = https.authority ?? (isSecure ? openAuthority() : undefined);
    const own = defined({ host, signatureEncoding: encoding, tls: https.tls, authority });
    return await runProxy(flags, { ...options, target, ...own }, command.args);
  } finally {
    await close();
  }
};

const commandLine = (): Command =>
  addCallerOptions(createCommand("proxy"), {
    target: "the server configured in .env.<name> and the environment",
    service: "services to record",
    out: "folder for the log and the results",
  })
    .description(
      "Records a caller: a reverse proxy in front of the embedded sandbox, or of the target. Its first line on standard\n" +
        "output is one line of JSON with the base URLs and credentials to use. It ends with Ctrl-C, after a time without\n" +
        "requests (--until), or with the command after --, and then writes a certificate of the caller.\n\n" +
        "Bodies, statuses and headers pass unchanged, except for the addresses of the target in answers and those of the\n" +
        "proxy in requests. In compressed answers and in requests, only bodies of up to 8 MB are changed.\n" +
        "Larger encrypted bodies pass unread, and the target can't decrypt requests with the key of the proxy.\n\n" +
        "It is a forward proxy too, for clients whose base URLs are fixed: set HTTP_PROXY and HTTPS_PROXY to its address. It\n" +
        "serves the origins of the target, and answers 403 to all other requests. An HTTPS client must trust the certificate\n" +
        "in the file `authority` of the first line, or $ASSAY_AUTHORITY in the command.",
    )
    .argument(
      "[command...]",
      "a command that contains the caller; it gets base URLs and credentials as environment variables. If it fails, the exit code is 3, or 1 if something is violated",
    )
    .option("--port <n>", "port of the proxy; 0 takes a free one", parseWhole(0, 65_535), 0)
    .option(
      "--host <name>",
      "host name in the base URLs of a client on another machine, a phone or in a container. The proxy then listens on all addresses, and its clock and page answer under this name as well",
    )
    .addOption(httpsOption())
    .option("--until <idle=SECONDSs>", "end after this time without a request, as in idle=60s", parseIdle)
    .option(
      "--exercise <all|id,…>",
      "situations to make, so that the caller shows how it behaves; a command that ends at one is run again for those that are left",
      parseList,
      [],
    )
    .option(
      "--operation <id,…>",
      "only make the exercises for the requests of these operations, as in --exercise lost-answer --operation <id>",
      parseList,
      [],
    )
    .option("--slow", "let exercises wait in real time, for callers that do not use the clock of the proxy")
    .addOption(
      new Option(
        "--require <signature=ENCODING>",
        "the only encoding of signatures that is right, of those that signing clients use (rfc: RFC 5849, single: values encoded once)",
      ).choices(ENCODINGS.map((one) => `signature=${one}`)),
    )
    .option("--har", "write the log as an HTTP archive (HAR 1.2) as well");

const hostName = (text: string): string => {
  if (URL.canParse(`http://${text}/`) && new URL(`http://${text}/`).host === text.toLowerCase()) return text;
  throw new ConfigurationError(`--host: "${text}" is not a host name or an address.`);
};

const parseIdle = (text: string): number => {
  const [, seconds] = /^idle=(\d+)s$/.exec(text) ?? [];
  if (seconds === undefined) throw new InvalidArgumentError("Write it as idle=60s.");
  return Number(seconds);
};

await runCommand(main);
