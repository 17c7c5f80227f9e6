/** Options of certify and merge: a baseline to compare with, accepted findings, and a key to sign with. */
import { readFileSync, writeFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { AcceptList } from "../../helpers/accept/acceptance.ts";
import { isFingerprint } from "../../helpers/accept/fingerprint.ts";
import { commandName } from "../../helpers/contract/code.ts";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import { exitCodeOf, type FailOn, needsBaseline } from "../../reports/certificate/exit-code.ts";
import { readBaseline } from "../../reports/folder/baseline.ts";
import { certificatePath, readCertificate } from "../../reports/folder/certificate-file.ts";
import { digestsIn, signaturePath } from "../../reports/folder/results.ts";
import type { signCertificate } from "../../reports/folder/signature.ts";
import { print } from "../../reports/print.ts";

export interface BaselineFlags {
  readonly baseline?: string;
  readonly failOn?: FailOn;
  readonly accept?: string;
  readonly sign?: string;
}

export interface BaselineOptions {
  readonly accepted?: AcceptList;
  /** The text of the baseline's certificate. */
  readonly baseline?: string;
  readonly failOn: FailOn;
  /** Signs a certificate; `id` is the id of the key. */
  readonly signer?: {
    readonly id: string;
    sign(certificate: Buffer, beside: Parameters<typeof signCertificate>[3]): Promise<string>;
  };
}

/** Adds the options that a run and a merge share. */
export const addBaselineOptions = (command: Command): Command =>
  command
    .option("--baseline <file>", "certificate.json of an earlier run: report what changed since")
    .addOption(
      new Option(
        "--fail-on <what>",
        "exit with 1 only for failures that the baseline does not have, or also for drift; or also for advisories",
      ).choices(["regression", "drift", "advisory"]),
    )
    .option("--sign <file>", "a private key that signs the certificate (JWK or PKCS#8 PEM)");

export const BASELINE_HELP = `
The file of accepted findings (accept) is a YAML list of entries with fingerprint, owner, reason and expires (a date).
An accepted finding is still a violation in verdicts and outcome, but does not make the run exit with 1. An expired
entry accepts nothing. An entry whose finding no longer occurs is stale and makes the run exit with 1.

With --fail-on regression, violations that the baseline also has do not make the run exit with 1. A requirement that was
tried in the baseline and is now blocked or not tried makes it exit with 3. With --fail-on drift, any other change of
behaviour since the baseline makes the run exit with 1 as well. With --fail-on advisory, which needs no baseline,
advisories make the run exit with 1 like failures.`;

/** @throws ConfigurationError before the run starts */
export const readBaselineOptions = async (flags: BaselineFlags): Promise<BaselineOptions> => {
  if (flags.failOn !== undefined && needsBaseline(flags.failOn) && flags.baseline === undefined) {
    throw new ConfigurationError(
      `--fail-on ${flags.failOn} compares the run with a baseline: give one with --baseline.`,
    );
  }
  return {
    failOn: flags.failOn ?? "violation",
    ...(flags.accept !== undefined && { accepted: await acceptedBy(flags.accept) }),
    ...(flags.baseline !== undefined && {
      baseline: readBaseline(flags.baseline, flags.failOn === "drift"),
    }),
    ...(flags.sign !== undefined && { signer: await signerWith(flags.sign) }),
  };
};

/** Reads the accept list; loads the YAML reader only when it is needed. */
const acceptedBy = async (file: string): Promise<AcceptList> =>
  (await import("../../helpers/accept/accept-list.ts")).readAcceptList(file, isFingerprint);

/** Loads the signing code before the run, and only if it is needed: nothing can be loaded after an interruption. */
const signerWith = async (file: string): Promise<NonNullable<BaselineOptions["signer"]>> => {
  const { readPrivateKey } = await import("../../reports/folder/signing-key.ts");
  const { signCertificate } = await import("../../reports/folder/signature.ts");
  const key = await readPrivateKey(file);
  return { id: key.id, sign: (certificate, beside) => signCertificate(certificate, key, new Date(), beside) };
};

/** Refuses to compare or sign the result of one shard. */
export const refuseForShard = (flags: BaselineFlags & { readonly shard?: unknown }): void => {
  if (flags.shard === undefined || (flags.baseline ?? flags.sign) === undefined) return;
  throw new ConfigurationError(
    `--baseline and sign are for the whole run: give them to ${commandName("merge")}, not to a shard.`,
  );
};

/** Signs and renders the certificate as the user asked. @returns the exit code */
export const conclude = async (out: string, { signer, failOn }: BaselineOptions): Promise<number> => {
  const certificate = readCertificate(out);
  // The signature covers what is written before it.
  if (certificate !== undefined) await (await import("./sarif.ts")).writeSarif(out, certificate);
  if (certificate !== undefined && signer !== undefined) {
    const { partial = false } = certificate;
    const signature = await signer.sign(readFileSync(certificatePath(out)), {
      files: digestsIn(out),
      partial,
    });
    writeFileSync(signaturePath(out), `${signature}\n`);
    print(`signed with ${signer.id}: ${signaturePath(out)}\n`);
  }
  return exitCodeOf(certificate, failOn);
};
