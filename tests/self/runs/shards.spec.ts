/** Merged shards give the certificate of the unsharded run; a missing shard prevents the merge. */
import { generateKeyPairSync } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { certificatePath, readCertificate } from "../../../reports/folder/certificate-file.ts";
import { type Certified, certify, run, temporary } from "../support/command.ts";
import { LONG, seedsInLanes } from "../support/lanes.ts";

/** The number of shards and the seed of a run. */
const RUNS = [
  ...[2, 3, 5, 6, 7].map((total) => ({ total, seed: total })),
  ...seedsInLanes(0).map(({ seed }) => ({ total: 4, seed })),
];

for (const { total, seed } of RUNS)
  test(
    `${total} merged shards give the certificate of the unsharded run with seed ${seed}`,
    LONG,
    async () => {
      const { whole, shards } = await runBoth(total, seed);
      for (const { certificate } of shards) {
        expect(certificate.summary.exchanges).toBeGreaterThan(0);
        expect(certificate.summary.exchanges).toBeLessThan(whole.certificate.summary.exchanges);
      }
      await expectMerged(shards, whole);
      await expectRefused(shards.slice(0, -1), `Shards are missing: ${total}/${total}`);
    },
  );

test("a blob that was cut off, or is of another shard than its certificate, is refused", async () => {
  const [service, depth] = ["card-enrollment", "quick"];
  const args = ["--service", service, "--requirement", `${service}.response.json-body`, "--depth", depth];
  const shards = [await certify([...args, "--shard", "1/2"]), await certify([...args, "--shard", "2/2"])];
  const [first = "", last = ""] = shards.map(({ out }) => join(out, "blob", "report.zip"));
  const whole = await readFile(last);
  for (const [bytes, says] of [
    [await readFile(first), "is of another run"],
    [whole.subarray(0, 1000), "was cut off or changed"],
    ["x", "was cut off or changed"],
  ] as const) {
    await writeFile(last, bytes);
    await expectRefused(shards, says);
  }
});

/** Runs the suite once without shards, and once in shards. */
const runBoth = async (total: number, seed: number) => {
  const args = ["--depth", "quick", "--seed", String(seed)];
  const whole = await certify(args);
  const shards: Certified[] = [];
  for (let index = 1; index <= total; index++) {
    shards.push(await certify([...args, "--shard", `${index}/${total}`]));
  }
  return { whole, shards };
};

const expectMerged = async (shards: readonly Certified[], whole: Certified): Promise<void> => {
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
    ...["--out", out, `--sign=${key}`, "--baseline", certificatePath(whole.out), "--fail-on", "regression"],
  ]);
  expect([whole.code, merged.code], merged.stderr).toEqual([0, 0]);
  const certificate = readCertificate(out);
  expect(comparable(certificate)).toEqual(comparable(whole.certificate));
  const { drift, ...compared } = certificate?.comparison ?? {};
  expect(compared).toMatchObject({ changes: [], differences: [], notCompared: 0 });
  // Lists show what earlier trials of the same shard created.
  expect(drift?.filter(({ words }) => !words.startsWith("the list "))).toEqual([]);
  for (const file of ["certificate.html", "certificate.md"]) {
    expect(await readFile(join(out, file), "utf8")).toContain("certified");
  }
  const [, payload = ""] = (await readFile(join(out, "certificate.jws"), "utf8")).split(".");
  expect(Buffer.from(payload, "base64url")).toEqual(await readFile(certificatePath(out)));
};

const expectRefused = async (shards: readonly Certified[], says: string): Promise<void> => {
  const out = await temporary();
  const merged = await run("merge", [...shards.map((shard) => shard.out), "--out", out]);
  expect([merged.code, merged.stderr]).toEqual([2, expect.stringContaining(says)]);
  expect(readCertificate(out)).toBeUndefined();
};

/**
 * Removes times and base URLs, since every embedded sandbox has its own port, the observed behaviour, which depends on the
 * data of each sandbox a little, and numbers of exchanges, because each shard arranges what its trials share. The
 * comparison shows whether it is drift.
 */
const comparable = (certificate: Certificate | undefined): Partial<Certificate> => {
  if (certificate === undefined) throw new Error("There is no certificate.");
  const {
    startedAt: _startedAt,
    durationMs: _durationMs,
    comparison: _comparison,
    behaviour: _behaviour,
    register: _register,
    target,
    ...rest
  } = certificate;
  const counted = { ...rest, target: { ...target, baseUrls: {} } };
  return JSON.parse(JSON.stringify(counted, withoutCounts)) as Partial<Certificate>;
};

const withoutCounts = (name: string, value: unknown): unknown =>
  ["exchanges", "observed"].includes(name) && typeof value === "number" ? undefined : value;
