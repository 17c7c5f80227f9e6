/** Published OpenAPI documents of other services, each against its own sandbox: `../shared/public-documents`. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { certify, ROOT, startMock } from "../../../tests/self/support/command.ts";
import { isInSample, LONG, PROVIDER } from "../../../tests/self/support/lanes.ts";
import { convert } from "../reading/convert.ts";

const FOLDER = join(ROOT, "../shared/public-documents");
/** The folder whose documents share files of the folder beside it. */
const FAMILY = join(FOLDER, "telecom/API_definitions");

const documentsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder).flatMap((name) => (/\.(ya?ml|json)$/.test(name) ? [join(folder, name)] : []))
    : [];

const rootOf = (path: string): string => (path.startsWith(FAMILY) ? join(FAMILY, "..") : FOLDER);

/** The number of operations of a sample. */
const SAMPLE = 4;

/** Returns the options that choose so many operations, spread over the document. */
const sampleOf = (path: string): string[] => {
  const { operations } = convert("sample", path, rootOf(path));
  const step = Math.max(1, Math.floor(operations.length / SAMPLE));
  const chosen = operations.filter((_, index) => index % step === 0).slice(0, SAMPLE);
  return ["--operation", chosen.map(({ operationId }) => operationId).join(",")];
};

/** The size in bytes from which a document is left to the long lane. */
const LARGE = 80_000;

const documents = [...documentsIn(FOLDER), ...documentsIn(FAMILY)];

/** Requests of a run of some operations: a large body has hundreds of rules. */
const REQUESTS = "800";

/** Certifies the sandbox of a document. @returns the verdicts `failed` and `blocked`, and how many passed */
const onOwnSandbox = async (path: string, selection: readonly string[]) => {
  const document = ["--document", path, `--root=${rootOf(path)}`];
  const mock = await startMock(document);
  const [url = ""] = Object.values(mock.baseUrls);
  const settings = { ...mock.credentials, ALLOW_DESTRUCTIVE: "true" };
  const { certificate } = await certify(
    [...document, "--url", url, "--depth", "quick", ...selection],
    settings,
  );
  await mock.stop();
  const broken = certificate.requirements.filter(({ verdict }) => /failed|blocked/.test(verdict));
  return {
    broken: broken.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`),
    passed: certificate.summary.passed,
  };
};

for (const [index, path] of documents.entries()) {
  const name = basename(path, extname(path));
  test(`all operations of ${name} pass on its own sandbox`, { tag: [LONG.tag, PROVIDER.tag] }, async () => {
    const { broken, passed } = await onOwnSandbox(path, []);
    expect(broken).toEqual([]);
    expect(passed).toBeGreaterThan(0);
  });

  // The start of a run of a large document takes longer than all of its calls.
  if (statSync(path).size > LARGE || !isInSample(index, 2)) continue;
  test(`some operations of ${name} pass on its own sandbox`, PROVIDER, async () => {
    const { broken, passed } = await onOwnSandbox(path, [...sampleOf(path), "--max-requests", REQUESTS]);
    expect(broken).toEqual([]);
    expect(passed).toBeGreaterThan(0);
  });
}
