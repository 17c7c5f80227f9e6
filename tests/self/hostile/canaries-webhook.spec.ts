/** A server that gives each webhook subscription a secret, and repeats it in deliveries: no file contains it. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { baseUrlName } from "../../../helpers/target/names.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { freePort, run, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { written } from "./canary-secrets.ts";
import { hostileService, type Misbehave } from "./hostile-server.ts";
import { isSuccess } from "./mode.ts";

test.afterEach(closeAll);

const SERVICE = "financial-data";

/** The secret of a subscription, as a member that is named so, and in the form that issuers of webhooks document. */
const [NAMED, FORMED] = ["Zw7/Webhook+Canary-own_0123456789", `whsec_${"QmF5ZXNpYW4".repeat(3)}`];

const SECRETS = { secret: NAMED, webhook_secret: NAMED, signingKey: NAMED, note: `signed with ${FORMED}` };

const OPERATIONS = [
  "createWebhookSubscription",
  "getWebhookSubscriptionById",
  "testWebhookSubscription",
  "listWebhookSubscriptions",
];

/** Adds the secrets to each answer about subscriptions, and breaks a promise now and then, so that answers are kept. */
const telling: Misbehave = async (request, correct) => {
  const [address] = /http:\/\/127\.0\.0\.1:\d+\/[^"\s]*/.exec(request.body.toString()) ?? [];
  if (address !== undefined)
    await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", "x-webhook-secret": NAMED, "x-signed-with": FORMED },
      body: JSON.stringify(SECRETS),
    });
  const reply = await correct();
  const text = reply.body.toString();
  if (!isSuccess(reply) || !request.path.includes("/webhooks") || !text.startsWith("{")) return reply;
  const status = request.index % 2 === 0 ? 299 : reply.status;
  return { ...reply, status, body: JSON.stringify({ ...SECRETS, ...JSON.parse(text) }) };
};

test("the secret of a webhook is in no file and in no output", LONG, async () => {
  const contract = await loadContract(SERVICE);
  const sandbox = await startSandbox({ contracts: [contract], plain: true });
  const out = await temporary();
  const port = String(await freePort());
  const args = ["--target", "webhooks", "--service", SERVICE, "--operation", OPERATIONS.join(), "--out", out];
  const ended = await run("certify", args, {
    ...sandbox.environment,
    [baseUrlName(SERVICE)]: await hostileService(sandbox.baseUrls[SERVICE], telling),
    RECEIVER_PUBLIC_URL: `http://127.0.0.1:${port}`,
    RECEIVER_PORT: port,
    ALLOW_DESTRUCTIVE: "true",
    REQUEST_TIMEOUT_SECONDS: "2",
  });
  await sandbox.close();
  expect(ended.code, ended.stderr).toBe(1);
  const findings = readCertificate(out)?.findings ?? [];
  const shown = findings.flatMap(({ exchanges }) => exchanges.map(({ response }) => response?.body ?? ""));
  expect(shown.join()).toContain('"webhook_secret":"‹');
  const artifacts = await written(out, ended);
  const leaks = artifacts.filter(({ text }) => [NAMED, FORMED].some((secret) => text.includes(secret)));
  expect(leaks.map(({ path }) => path)).toEqual([]);
});
