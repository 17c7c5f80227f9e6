/** `npm run verify -- FILE --key PUB`: shows who signed a certificate, and whether a byte has changed since. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { fileProblem } from "../helpers/contract/documents/file-problem.ts";
import { ConfigurationError, readGiven } from "../helpers/target/load-target.ts";
import { certificatePath } from "../reports/folder/certificate-file.ts";
import { shapeComplaint } from "../reports/folder/certificate-shape.ts";
import { digestOf, signaturePath, unsignedIn } from "../reports/folder/results.ts";
import { BadSignature, NoSignature, type Signed, verifyCertificate } from "../reports/folder/signature.ts";
import { readPublicKey } from "../reports/folder/signing-key.ts";
import { note, print } from "../reports/print.ts";
import { coverageWords, ofTarget } from "../reports/render/coverage.ts";
import { headlineOf } from "../reports/render/report.ts";
import { counted } from "../reports/text.ts";
import { createCommand } from "../runner/command/command.ts";
import { runCommand } from "../runner/command/run-command.ts";

const CHANGED = 1;

const main = async (): Promise<number> => {
  const command = commandLine().parse();
  const [file = ""] = command.args;
  const { key: keyFile } = command.opts<{ key?: string }>();
  if (keyFile === undefined) throw new ConfigurationError("Give the signer's public key with --key.");
  const key = await readPublicKey(keyFile);
  const { signature, certificate } = filesOf(file);
  try {
    const signed = await verifyCertificate(readGiven("The signature", signature, MOST_MB).trim(), key);
    const complaint = shapeComplaint(signed.certificate);
    if (complaint !== undefined) throw new NoSignature(`signs no complete certificate: ${complaint}`);
    print(about(signed));
    return Math.max(compare(signed, certificate), compareFiles(signed, dirname(file)));
  } catch (error) {
    if (error instanceof NoSignature) throw new ConfigurationError(`${signature} ${error.message}.`);
    if (!(error instanceof BadSignature)) throw error;
    note(`${signature} is not a valid signature. ${error.message}\n`);
    return CHANGED;
  }
};

const commandLine = (): Command =>
  createCommand("verify")
    .description(
      "Verifies a signed certificate: reports who signed it, and whether it was changed since.\n" +
        "The certificate.json next to the signature is compared with the signed content.",
    )
    .argument("<file>", "certificate.jws, or the certificate.json beside it")
    .option("--key <file>", "the signer's public key (JWK or PEM)")
    .addHelpText(
      "after",
      "\nA pair of keys: openssl genpkey -algorithm ed25519 -out key.pem; openssl pkey -in key.pem -pubout -out public.pem" +
        "\n\nExit code: 0 the signature is valid, 1 it is invalid or the certificate was changed, 2 bad arguments.",
    )
    .exitOverride();

interface Files {
  readonly signature: string;
  /** `undefined` for a detached signature without its certificate. */
  readonly certificate: string | undefined;
}

const filesOf = (file: string): Files => {
  if (!file.endsWith(".json")) {
    const beside = certificatePath(dirname(file));
    return { signature: file, certificate: existsSync(beside) ? beside : undefined };
  }
  const signature = signaturePath(dirname(file));
  if (existsSync(signature)) return { signature, certificate: file };
  throw new ConfigurationError(
    `${file} is not signed: there is no ${signature}. Run certify with "sign: FILE" in assay.config.yaml.`,
  );
};

const MOST_MB = 64;

const read = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigurationError(`The file can't be read: ${file}: ${fileProblem(error)}.`);
  }
};

const about = ({ certificate, algorithm, keyId, thumbprint, signedAt }: Signed): string => {
  const { target, startedAt, seed, depth, contracts } = certificate;
  const { summary } = ofTarget(certificate);
  const addresses = Object.values(target.baseUrls).join(", ");
  const rows = [
    ["signed by", `${keyId}${keyId === thumbprint ? "" : ` (thumbprint ${thumbprint})`}, ${algorithm}`],
    ["signed at", signedAt],
    ["target", `${target.name}${addresses && `, ${addresses}`}`],
    ["run", `${startedAt}, ${depth} depth, seed ${seed}`],
    ["contracts", contracts.map(({ service, version }) => `${service} ${version}`).join(", ")],
    ["outcome", headlineOf(certificate)],
    ["coverage", coverageWords(certificate)],
    [
      "verdicts",
      `${summary.passed} passed, ${summary.failed} failed, ${summary.advisory} advisory, ` +
        `${summary.blocked} blocked, ${summary.notTried} not tried`,
    ],
  ];
  return `The signature is valid.\n${rows.map(([label = "", text]) => `  ${label.padEnd(10)}${text}\n`).join("")}`;
};

const compare = ({ bytes }: Signed, certificate: string | undefined): number => {
  if (certificate === undefined) return 0;
  const now = read(certificate);
  if (now.equals(bytes)) {
    print(`${certificate} equals the signed content byte for byte.\n`);
    return 0;
  }
  const at = now.findIndex((byte, index) => byte !== bytes[index]);
  const offset = at === -1 ? now.length : at;
  const line = now.subarray(0, offset).toString("utf8").split("\n").length;
  note(
    `${certificate} differs from the signed content: the first difference is at byte ${offset}, in line ${line}.\n`,
  );
  return CHANGED;
};

/** Compares the files beside the certificate with their signed digests. A missing file is only mentioned. */
const compareFiles = ({ files }: Signed, dir: string): number => {
  let code = 0;
  let archives = 0;
  for (const [name, digest] of Object.entries(files)) {
    const file = join(dir, name);
    const now = digestOf(file);
    if (now === undefined) print(`${file} is signed, but not here.\n`);
    else if (now !== digest) {
      note(`${file} was changed after signing.\n`);
      code = CHANGED;
    } else if (name.endsWith(".har")) archives += 1;
    else print(`${file} is as it was signed.\n`);
  }
  if (archives > 0) print(`${counted(archives, "archive")} of findings: as signed.\n`);
  const unsigned = unsignedIn(dir, Object.keys(files));
  if (unsigned.length > 0) print(`Beside it, but not signed: ${capped(unsigned).join(", ")}\n`);
  return code;
};

const MOST_NAMED = 20;

const capped = (names: readonly string[]): string[] => [
  ...names.slice(0, MOST_NAMED),
  ...(names.length > MOST_NAMED ? [`and ${names.length - MOST_NAMED} more`] : []),
];

await runCommand(main);
