/** A run's plan of any size reaches its processes, and their environment contains no secret. */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { configuration } from "../../../helpers/target/names.ts";
import { certify } from "../support/command.ts";
import { closeAll } from "../support/loopback.ts";
import { below } from "../support/processes.ts";
import { externalServer, MAKING, runThrough } from "./held-run.ts";
import { holdingProxy } from "./holding-proxy.ts";

test.afterEach(closeAll);

test("a run accepts an accept list that is larger than the maximum size of an environment", async () => {
  const requirement = "card-enrollment.auth.whole-interface";
  const reason = "known since the last release, and to be fixed in the next one: see the ticket about it";
  const entries = Array.from({ length: 1_000 }, (_, index) => ({
    fingerprint: `card-enrollment.auth.401-on-failed-check@${index.toString(16).padStart(12, "0")}`,
    owner: "somebody@example.com",
    reason: `${reason}\n`.repeat(25),
    expires: "2099-12-31",
  }));
  const file = test.info().outputPath("accept.yaml");
  // JSON is YAML.
  await writeFile(file, JSON.stringify(entries));
  expect(JSON.stringify(entries).length).toBeGreaterThan(2 ** 21);
  const args = ["--service", "card-enrollment", "--requirement", requirement, "--accept", file];
  const { code, certificate, stderr } = await certify(args);
  expect([code, certificate.outcome]).toEqual([0, "certified"]);
  expect(stderr).toBe("Trying card-enrollment on the embedded sandbox, standard depth …\n");
  expect(certificate.accepted?.entries).toHaveLength(entries.length);
});

test("no process of a run has a credential in its environment", async () => {
  test.skip(!existsSync("/proc/self/environ"), "the environment of another process can't be read here");
  const sandbox = await externalServer();
  try {
    const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { hold: MAKING });
    const run = await runThrough(proxy, sandbox);
    await proxy.held;
    // The loader's compiler starts before the product's code, with the environment of the command itself.
    const processes = below(run.child.pid ?? 0).filter(({ command }) => !command.includes("esbuild"));
    // At least the test runner and one worker.
    expect(processes.length).toBeGreaterThanOrEqual(2);
    const secrets = configuration().flatMap(
      ({ name, secret }) => (secret && sandbox.environment[name]) || [],
    );
    expect(secrets.length).toBeGreaterThan(1);
    for (const { pid, command } of processes) {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      expect(
        secrets.filter((secret) => environment.includes(secret)),
        command,
      ).toEqual([]);
      const [, plan] = /(?:^|\0)ASSAY_RUN=([^\0]*)/.exec(environment) ?? [];
      expect(plan ?? "1:0").toMatch(/^\d+:[\da-f-]+$/);
    }
    proxy.release();
    expect(await run.ended).toBe(0);
  } finally {
    await sandbox.close();
  }
});
