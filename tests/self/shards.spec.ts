/** Shards, merged, give the certificate of the unsharded run. */
import { expect, test } from "@playwright/test";
import type { Certificate } from "../../reports/certificate.ts";
import { readCertificate } from "../../reports/certificate-file.ts";
import { certify, run, temporary } from "./support/command.ts";

const ARGUMENTS = ["--service", "card-enrollment", "--depth", "quick", "--seed", "11"];

test("two shards, merged, give the certificate of the unsharded run but for times", async () => {
  const whole = await certify(ARGUMENTS);
  const shards = [
    await certify([...ARGUMENTS, "--shard", "1/2"]),
    await certify([...ARGUMENTS, "--shard", "2/2"]),
  ];
  const out = await temporary();
  const merged = await run("merge", [...shards.map((shard) => shard.out), "--out", out]);
  expect([whole.code, merged.code]).toEqual([0, 0]);
  for (const { certificate } of shards) {
    expect(certificate.summary.exchanges).toBeGreaterThan(0);
    expect(certificate.summary.exchanges).toBeLessThan(whole.certificate.summary.exchanges);
  }
  expect(comparable(readCertificate(out))).toEqual(comparable(whole.certificate));
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
  const { startedAt: _startedAt, durationMs: _durationMs, target, ...rest } = certificate;
  return { ...rest, target: { ...target, baseUrls: {} } };
};
