/** HTTPS of the servers that stand alone: with the user's certificate, or with one of an authority of this process. */
import { readFileSync } from "node:fs";
import { Option } from "commander";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import { type Authority, openAuthority, type ServerIdentity } from "../../mocks/engine/gateway/authority.ts";

export interface HttpsFlags {
  readonly https?: true;
  readonly cert?: string;
}

/** @param otherwise what else the server may be given */
export const httpsOption = (otherwise = ""): Option =>
  new Option(
    "--https",
    `serve HTTPS${otherwise}: an authority is made for this process, and \`authority\` in the first line is the file with its certificate, which clients must trust (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE)`,
  );

export interface Https {
  readonly tls?: ServerIdentity;
  readonly authority?: Authority;
}

/**
 * @param names further names and addresses of the server, besides the loopback addresses
 * @throws ConfigurationError when the flags contradict each other, or a file cannot be read
 */
export const httpsOf = ({ https, cert }: HttpsFlags, names: readonly string[]): Https => {
  if (https === undefined) {
    if (cert !== undefined) throw new ConfigurationError("--cert needs --https.");
    return {};
  }
  if (cert === undefined) {
    const authority = openAuthority();
    return { authority, tls: authority.identityFor([...new Set([...OWN_NAMES, ...names])]) };
  }
  const pem = pemIn(cert);
  return { tls: { cert: pem, key: pem } };
};

const OWN_NAMES = ["localhost", "127.0.0.1", "::1"];

const pemIn = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigurationError(`${file}: it cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
};
