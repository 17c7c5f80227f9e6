/** Shards, merged, give the certificate of the unsharded run. */
import { generateKeyPairSync } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Certificate } from "../../../reports/certificate.ts";
import { certificatePath, readCertificate } from "../../../reports/certificate-file.ts";
import { certify, run, temporary } from "../support/command.ts";

const ARGUMENTS = ["--service", "card-enrollment", "--depth", "quick", "--seed", "11"];

test("two shards, merged, give the certificate of the unsharded run but for times", async () => {
  const whole = await certify(ARGUMENTS);
  const shards = [
    await certify([...ARGUMENTS, "--shard", "1/2"]),
    await certify([...ARGUMENTS, "--shard", "2/2"]),
  ];
  const foreign = await temporary();
  await writeFile(join(foreign, "notes.md"), "mine");
  const refused = await run("merge", [...shards.map((shard) => shard.out), "--out", foreign]);
  expect([refused.code, await readdir(foreign)]).toEqual([2, ["notes.md"]]);
  const out = await temporary();
  const key = test.info().outputPath("private.pem");
  const { privateKey } = generateKeyPairSync("ed25519");
  await writeFile(key, privateKey.export({ format: "pem", type: "pkcs8" }));
  const merged = await run("merge", [
    ...shards.map((shard) => shard.out),
    ...["--out", out, "--sign", key, "--baseline", certificatePath(whole.out), "--fail-on", "regression"],
  ]);
  expect([whole.code, merged.code]).toEqual([0, 0]);
  for (const { certificate } of shards) {
    expect(certificate.summary.exchanges).toBeGreaterThan(0);
    expect(certificate.summary.exchanges).toBeLessThan(whole.certificate.summary.exchanges);
  }
  const certificate = readCertificate(out);
  expect(comparable(certificate)).toEqual(comparable(whole.certificate));
  expect(certificate?.comparison).toMatchObject({ changes: [], differences: [], notCompared: 0 });
  for (const file of ["certificate.html", "certificate.md", "badge.svg"]) {
    expect(await readFile(join(out, file), "utf8")).toContain("certified");
  }
  const [, payload = ""] = (await readFile(join(out, "certificate.jws"), "utf8")).split(".");
  expect(Buffer.from(payload, "base64url")).toEqual(await readFile(certificatePath(out)));
});

test("a shard that is missing is told, and merged into nothing", async () => {
  const shard = await certify([...ARGUMENTS, "--shard", "1/2"]);
  const out = await temporary();
  const merged = await run("merge", [shard.out, "--out", out]);
  expect(merged.code).toBe(2);
  expect(merged.stderr).toContain("Shards are missing: 2/2");
  expect(readCertificate(out)).toBeUndefined();
});

/** Every embedded sandbox takes a port of its own. */
const comparable = (certificate: Certificate | undefined): Partial<Certificate> => {
  if (certificate === undefined) throw new Error("There is no certificate.");
  const {
    startedAt: _startedAt,
    durationMs: _durationMs,
    comparison: _comparison,
    target,
    ...rest
  } = certificate;
  return { ...rest, target: { ...target, baseUrls: {} } };
};
