/** Compares, accepts, signs and verifies certificates as a user does. */
import { generateKeyPairSync } from "node:crypto";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { certificatePath, readCertificate } from "../../../reports/folder/certificate-file.ts";
import { renderHtml } from "../../../reports/render/html/page.ts";
import { artifactsOf } from "../support/artifacts.ts";
import { certify, run, startMock, temporary } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";

const REQUIREMENT = "card-enrollment.auth.401-on-failed-check";
const ONE = ["--service", "card-enrollment", "--requirement", REQUIREMENT, "--depth", "quick"];

const keyPair = async (): Promise<{ secret: string; privateFile: string; publicFile: string }> => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const dir = await temporary();
  const privateFile = join(dir, "private.json");
  const publicFile = join(dir, "public.pem");
  const jwk = privateKey.export({ format: "jwk" });
  await writeFile(privateFile, JSON.stringify({ ...jwk, kid: "gate 3" }));
  await writeFile(publicFile, publicKey.export({ format: "pem", type: "spki" }));
  return { secret: jwk.d ?? "", privateFile, publicFile };
};

test("a signed certificate verifies until a byte of it changes", QUICK, async () => {
  const { secret, privateFile, publicFile } = await keyPair();
  const { code, out, stdout } = await certify([...ONE, `--sign=${privateFile}`]);
  expect(code).toBe(0);
  expect(stdout).toContain("signed with gate 3: ");
  expect((await artifactsOf(out)).filter(({ text }) => text.includes(secret))).toEqual([]);

  const jws = join(out, "certificate.jws");
  const verify = (file: string) => run("verify", [file, "--key", publicFile]);
  const holds = await verify(certificatePath(out));
  expect([holds.code, holds.stderr]).toEqual([0, ""]);
  expect(holds.stdout).toMatch(/signed by +gate 3 \(thumbprint [\w-]{43}\), EdDSA\n/);
  expect(holds.stdout).toMatch(/outcome +certified, partial \(--requirement\)\n/);
  expect(holds.stdout).toMatch(/coverage +tried 1 of 177 \(1 %\)\n/);
  expect(holds.stdout).toContain("byte for byte");

  for (const file of ["certificate.html", "certificate.md", "certificate.sarif", "junit.xml"]) {
    const path = join(out, file);
    expect(holds.stdout).toContain(`${path} is as it was signed`);
    const original = await readFile(path);
    await appendFile(path, " ");
    const tampered = await verify(jws);
    expect([tampered.code, tampered.stderr]).toEqual([1, `${path} was changed after signing.\n`]);
    await writeFile(path, original);
  }

  await writeFile(join(out, "notes.txt"), "");
  expect((await verify(jws)).stdout).toContain("Beside it, but not signed: notes.txt\n");

  const text = await readFile(certificatePath(out), "utf8");
  await writeFile(certificatePath(out), text.replace('"verdict": "passed"', '"verdict": "failed"'));
  const line = text.split("\n").findIndex((one) => one.includes('"verdict": "passed"')) + 1;
  const changed = await verify(jws);
  expect(changed.code).toBe(1);
  expect(changed.stderr).toContain(`, in line ${line}.`);

  const [header = "", payload = "", signature = ""] = (await readFile(jws, "utf8")).split(".");
  await writeFile(jws, [header, `${payload.slice(0, -8)}AAAAAAAA`, signature].join("."));
  const forged = await verify(jws);
  expect(forged.code).toBe(1);
  expect(forged.stderr).toContain("was changed after signing");
  const { publicFile: strange } = await keyPair();
  const other = await run("verify", [jws, "--key", strange]);
  expect(other.code).toBe(1);
  expect(other.stderr).toContain("It claims to be signed with the key gate 3");
});

test("a regression is reported, its replay line shows it, and after it is accepted the run exits with 0", async () => {
  const { credentials, stop } = await startMock([
    "--service",
    "card-enrollment",
    "--fault",
    `${REQUIREMENT}.bad-request`,
  ]);
  try {
    const good = await certify(ONE);
    const summary = join(good.out, "step-summary.md");
    const worse = await certify([...ONE, "--target", "faulty", "--baseline", certificatePath(good.out)], {
      ...credentials,
      GITHUB_STEP_SUMMARY: summary,
    });
    expect(worse.code).toBe(1);
    const { comparison, findings } = worse.certificate;
    expect(comparison?.changes).toMatchObject([
      { requirement: REQUIREMENT, kind: "newly-failing", before: "passed", regression: true },
    ]);
    expect(worse.stdout).toContain(`1 newly failing\n    ${REQUIREMENT}: was passed`);
    expect(await readFile(summary, "utf8")).toBe(await readFile(join(worse.out, "certificate.md"), "utf8"));
    expect(await readFile(join(worse.out, "junit.xml"), "utf8")).toContain('failures="1"');

    expect(await readFile(join(worse.out, "certificate.html"), "utf8")).toBe(renderHtml(worse.certificate));
    const [{ fingerprint = "", message = "", replay = "" } = {}] = findings;
    const shown = await certify(replay.split(" ").slice(4), credentials);
    expect([shown.code, shown.certificate.findings[0]?.message]).toEqual([1, message]);

    const list = join(worse.out, "accept.yaml");
    await writeFile(
      list,
      `- {fingerprint: ${fingerprint}, owner: Anna, reason: known, expires: 2999-12-31}\n`,
    );
    // The directory is the same, because the command reads its certificate before the run replaces it.
    const again = await run(
      "certify",
      [
        ...[...ONE, "--target", "faulty", "--seed", "2", "--out", worse.out, `--accept=${list}`],
        ...["--baseline", certificatePath(worse.out), "--fail-on", "regression"],
      ],
      credentials,
    );
    expect(again.code).toBe(0);
    expect(again.stderr).toMatch(/^faulty: card-enrollment answered as configured \(2 requests\)\.$/m);
    expect(again.stdout).toContain(
      "\nviolations, all accepted, partial (--requirement)  tried 1 of 177 (1 %)\n",
    );
    const certificate = readCertificate(worse.out);
    expect(certificate).toMatchObject({
      outcome: "violations",
      summary: { failed: 1, accepted: 1 },
      comparison: { changes: [], regressions: 0, stale: [] },
    });
    expect(await readFile(join(worse.out, "junit.xml"), "utf8")).toContain('message="accepted by Anna until');
  } finally {
    await stop();
  }
});
