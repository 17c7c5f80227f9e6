/** An authority of one process: a client that is given its certificate trusts the HTTPS servers of this process. */
import { certified, type KeyPair, openKeyFolder, rsaKeys } from "./keys.ts";

/** A certificate and its private key in PEM. */
export interface ServerIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** The file with the certificate of the authority, in PEM. It is removed when the process ends. */
  readonly file: string;
  /** @param hosts host names and addresses under which clients reach the server */
  identityFor(hosts: readonly string[]): ServerIdentity;
}

/** The private keys stay in memory. */
export const openAuthority = (): Authority => {
  const folder = openKeyFolder();
  process.once("exit", folder.remove);
  const issuer = certified({ name: "Assay authority" });
  let keys: KeyPair | undefined;
  return {
    file: folder.write("authority.pem", issuer.certificatePem),
    identityFor(hosts) {
      keys ??= rsaKeys();
      const { certificatePem, privatePem } = certified({ name: hosts[0] ?? "", issuer, hosts, keys });
      return { cert: certificatePem, key: privatePem };
    },
  };
};
