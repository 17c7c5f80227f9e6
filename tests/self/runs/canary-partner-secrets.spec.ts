/** The output of a run contains no secret that the run generated for the disposable partner. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { written } from "../hostile/canary-secrets.ts";
import { certify } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll, fieldsIn } from "../support/loopback.ts";
import { holdingProxy, type Passing } from "./holding-proxy.ts";

const contract = await loadContract("financial-data");

test.afterEach(closeAll);

/** The requirements whose violation is shown by a request with a new secret. */
const FAULTS = contract.requirements
  .map(({ id }) => id)
  .filter((id) => /\.auth\.secret\.(max-length-255|min-length-12|at-least-one-digit)$/.test(id));

test("no output contains a new partner secret", LONG, async () => {
  const faults = FAULTS.map((id) => `${id}.not-enforced`);
  const sandbox = await startSandbox({ seed: 1, contracts: [contract], plain: true, faults });
  const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`);
  try {
    const { pathname } = new URL(sandbox.environment.FINANCIAL_DATA_BASE_URL ?? "");
    const args = ["--service", contract.service, "--operation", "ModifyPartnerSecret", "--shard", "1/1"];
    const ended = await certify(["--target", "canary", ...args], {
      ...sandbox.environment,
      FINANCIAL_DATA_BASE_URL: `${proxy.origin}${pathname}`,
      ALLOW_DESTRUCTIVE: "true",
      ALLOW_LOCKING: "true",
    });
    expect(ended.code).toBe(1);
    const secrets = [...new Set(proxy.passed.flatMap(secretsIn))];
    expect(secrets.length).toBeGreaterThan(10);
    const artifacts = await written(ended.out, ended);
    expect(artifacts.some(({ text }) => text.includes("NEW_PARTNER_SECRET"))).toBe(true);
    const leaks = artifacts.flatMap(({ path, text }) =>
      secrets.filter((secret) => notationsOf(secret).some((one) => text.includes(one))).map(() => path),
    );
    expect(leaks).toEqual([]);
  } finally {
    await sandbox.close();
  }
});

const secretsIn = ({ path, body }: Passing): string[] => {
  if (!path.endsWith("/partners/authentication")) return [];
  const { partnerSecret, newPartnerSecret } = fieldsIn(body);
  return [partnerSecret, newPartnerSecret].filter((one): one is string => typeof one === "string");
};

const notationsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  secret.replaceAll("&", "&amp;"),
];
