/** `npm run judge`: logs of any quality, both halves, by the contract that is given. */
import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { writeHar } from "../../../helpers/traffic/har-writer.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { upgradedDocuments } from "../../../tests/self/support/bumped-documents.ts";
import { run, temporary } from "../../../tests/self/support/command.ts";
import { openRecording } from "../proxy/recording.ts";
import { judged, judgedAs, judgedBy, recorded, SERVICE, violated } from "./judging.ts";

test("a log and its archive give the same verdicts as the recording, compressed or not", async () => {
  const { log, har, secrets } = await recorded([{ logsInPerCall: true }]);
  const byLog = await judged(log);
  expect(violated(byLog.caller)).toEqual([`${SERVICE}.auth.single-token-reused`]);
  expect(violated(byLog.service)).toEqual([]);
  expect(byLog.caller.half).toBe("caller");
  expect(byLog.caller.summary.passed).toBeGreaterThan(5);
  expect(byLog.service.summary.passed).toBeGreaterThan(3);
  expect(byLog.code).toBe(1);
  const zipped = `${har}.gz`;
  await writeFile(zipped, gzipSync(await readFile(har)));
  const byArchive = await judged(zipped);
  expect(violated(byArchive.service)).toEqual([]);
  // The archive contains no tokens, so their use can't be judged.
  expect(violated(byArchive.caller)).toEqual([]);
  for (const secret of secrets) expect(await readFile(har, "utf8")).not.toContain(secret);
});

test("two clients in one log are told apart", async () => {
  const { log } = await recorded([{}, { logsInPerCall: true }]);
  const { caller } = await judged(log);
  expect(caller.traffic?.clients.map(({ name }) => name)).toEqual(["client 1", "client 2"]);
  expect(violated(caller)).toEqual([`${SERVICE}.auth.single-token-reused`]);
});

test("a truncated archive is judged up to its end", async () => {
  const { har } = await recorded([{}]);
  const text = await readFile(har, "utf8");
  await truncate(har, Math.floor(text.length * 0.7));
  const { caller } = await judged(har);
  expect(caller.traffic?.notes).toContainEqual(expect.stringMatching(/ends in the middle of entry \d+/));
  expect(caller.summary.passed).toBeGreaterThan(3);
});

test("a log without an end is judged, also with an incomplete last line", async () => {
  const { log } = await recorded([{}]);
  const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
  await writeFile(log, `${lines.slice(0, -1).join("\n")}\n`);
  await appendFile(log, `${lines[1]?.replace(/"method":"\w+"/, '"method":"PUT;touch X;"')}\n{"id":"p-`);
  const { caller } = await judged(log);
  expect(caller.traffic?.notes).toContainEqual(expect.stringContaining("before it could close the log"));
  expect(caller.summary.exchanges).toBe(lines.length - 2);
});

test("a clock that goes back in a log convicts nobody", async () => {
  const { log } = await recorded([{}]);
  const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
  const setBack = lines.map((text, index) => {
    const line = JSON.parse(text) as { startedAt?: string; request?: object };
    if (line.request === undefined || index < lines.length / 2) return text;
    return JSON.stringify({ ...line, startedAt: new Date(Date.parse(line.startedAt ?? "") - 7_200_000) });
  });
  await writeFile(log, `${setBack.join("\n")}\n`);
  const { caller } = await judged(log);
  expect(caller.traffic?.notes).toContainEqual(expect.stringContaining("the clock went back once"));
  expect(violated(caller)).toEqual([]);
});

test("the refusals of the sandbox are judged in recorded traffic too", async () => {
  const service = "card-enrollment";
  const contracts = [await loadContract(service)];
  const sandbox = await startSandbox({ services: [service], contracts });
  const out = await temporary();
  const target = targetOf("sandbox", sandbox.environment, true);
  const recording = await openRecording({ target, contracts, port: 0, out });
  for (const key of [sandbox.environment.CARD_ENROLLMENT_API_KEY ?? "", "wrong"]) {
    await fetch(`${recording.proxy.baseUrls[service]}/cards`, {
      method: "PUT",
      headers: { "content-type": "application/json", "x-openapi-clientid": key },
      body: "{}",
    });
  }
  await recording.end({});
  await sandbox.close();
  const byLog = await judgedAs(service, [recording.log ?? ""]);
  expect(byLog.service.operations.flatMap(({ statuses }) => statuses.map(({ status }) => status))).toEqual(
    expect.arrayContaining([400, 401]),
  );
  expect(violated(byLog.service)).toEqual([]);
  const reasons = new Map(byLog.service.requirements.map(({ id, reason }) => [id, reason]));
  expect(reasons.get(`${service}.error.builder-returns-sample-shape`)).not.toContain("suite");
});

test("a compressed log that is cut off is judged up to its end, and a ZIP file is refused", async () => {
  const { log } = await recorded([{}]);
  const zipped = `${log}.gz`;
  const bytes = gzipSync(await readFile(log));
  await writeFile(zipped, bytes.subarray(0, Math.floor(bytes.length * 0.8)));
  const { caller } = await judged(zipped);
  expect(caller.traffic?.notes).toContainEqual(expect.stringContaining("unexpected end of file"));
  expect(caller.summary.exchanges).toBeGreaterThan(2);
  await writeFile(zipped, Buffer.from("PK\u0003\u0004 and more"));
  await expect(judged(zipped)).rejects.toThrow("unzip it");
});

const FOUND = 765_432;

/** Returns the line of a log with an answer that has the number. The recorded client has no credentials. */
const found = (line: string): string => {
  const exchange = JSON.parse(line);
  const response = { ...exchange.response, status: 200, body: JSON.stringify({ found: FOUND }) };
  return JSON.stringify({ ...exchange, response });
};

test("traffic is judged by the document that is given, and the changes that refuse calls are named", async () => {
  const { base, revision } = await upgradedDocuments();
  const [before, after] = await Promise.all(
    [base, revision].map((providerFile) => loadContract(SERVICE, { providerFile })),
  );
  const contracts = [before as Contract];
  const sandbox = await startSandbox({ contracts });
  const target = targetOf("sandbox", sandbox.environment, true);
  const recording = await openRecording({ target, contracts, port: 0, out: await temporary() });
  const address = recording.proxy.baseUrls[SERVICE];
  const post = (body: object) =>
    fetch(`${address}/connect-components/configurations`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await post({ name: "one" });
  await post({ name: "two" });
  await post({ name: "three", tier: "a", taxId: 12_345_678 });
  await fetch(`${address}/institution/v2/institutions`);
  await fetch(`${address}/aggregation/v1/customers/${FOUND}`);
  await recording.end({});
  await sandbox.close();
  const { log = "" } = recording;
  const lines = (await readFile(log, "utf8")).split("\n");
  await writeFile(
    log,
    lines.map((line) => (line.includes("GetInstitutions") ? found(line) : line)).join("\n"),
  );
  const har = log.replace(/ndjson$/, "har");
  await writeHar(log, har);
  const lacksTier = `${SERVICE}.post-configurations.request.shape`;
  for (const file of [log, har]) {
    const now = await judgedBy([after], [file], { since: before });
    expect(violated(now.caller)).toContain(lacksTier);
    expect(now.caller.findings.filter(({ message }) => message.includes("taxId"))).toEqual([]);
    const notes = now.caller.traffic?.notes ?? [];
    expect(notes[0]).toBe("3 of your 5 recorded calls are refused by 2:");
    expect(notes).toContainEqual(
      expect.stringMatching(/d-\w{12} .*\/tier: required property added: 2 calls, first [hp]-\d+ POST/),
    );
    expect(notes).toContainEqual(
      expect.stringMatching(/d-\w{12} .*GetCustomer.*: 1 call, first [hp]-\d+ GET/),
    );
    expect(notes).toContainEqual(expect.stringMatching(/d-\w{12} .*found: .*GetInstitutions \/found/));
  }
});

test("an archive that is none, and traffic with nobody, are told apart", async () => {
  const out = await temporary();
  const none = join(out, "none.har");
  await writeFile(none, '{"a":1}');
  const judgedNone = await run("judge", [none, "--out", join(out, "a")]);
  expect(judgedNone.code).toBe(3);
  expect(judgedNone.stdout).toContain("this is not an HTTP archive");
  const missing = await run("judge", [join(out, "missing.har"), "--out", join(out, "b")]);
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain("missing.har can't be read");
});
