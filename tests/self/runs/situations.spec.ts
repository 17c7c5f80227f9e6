/** Situations of a target come from a file: as known identifiers, from commands, and from HTTP requests. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { stringify } from "yaml";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { situationRows } from "../../../helpers/situations/catalogue.ts";
import { readSituations } from "../../../helpers/situations/file.ts";
import { offered, together } from "../../../helpers/situations/offered.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { situationsSchema } from "../../../helpers/situations/schema.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import type { openSession } from "../../../helpers/trials/session.ts";
import { NotTried, TargetLost } from "../../../helpers/trials/stopped.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { situationsTemplate } from "../../../reports/render/situations-template.ts";
import { replayTrial } from "../../../runner/replay/replay-trial.ts";
import { hostileServer } from "../hostile/hostile-server.ts";
import { ROOT, temporary } from "../support/command.ts";
import { runAlone, verdictsOf } from "../support/in-process.ts";
import { api, closeAll, web } from "../support/loopback.ts";

test.afterEach(closeAll);

const read = (path: string): Promise<string> => readFile(join(ROOT, path), "utf8");

const written = async (content: string): Promise<string> => {
  const file = join(await temporary(), "situations.yaml");
  await writeFile(file, content);
  return file;
};

test("the schema for editors is the one that validates files", async () => {
  expect(JSON.parse(await read("schemas/situations.schema.json"))).toEqual(
    JSON.parse(JSON.stringify(situationsSchema(situationRows()))),
  );
});

test("the template lists all entries, and is a valid file without and with them", async () => {
  const template = await read("schemas/situations.template.yaml");
  expect(template).toBe(situationsTemplate(situationRows()));
  expect(readSituations(await written(template)).situations).toEqual({});
  const filled = template.replaceAll(/^( *)# (?!yaml)/gm, "$1").replaceAll('""', "0012");
  const offer = readSituations(await written(filled));
  expect(Object.keys(offer.situations)).toEqual(situationRows().map(({ name }) => name));
  expect(offer.situations["two-logins"]).toMatchObject([
    { ids: { customer: "0012", "institution-login": "0012", account: "0012" }, once: { name: "two-logins" } },
  ]);
});

const WRONG: readonly (readonly [string, string, string])[] = [
  ["broken YAML", "situations: {\n", "2: "],
  ["an unknown situation", "situations:\n  flood: {}\n", '2: situations: "flood" is unknown'],
  [
    "a missing identifier",
    "situations:\n  location:\n    ids: {}\n",
    '3: situations.location.ids: "location" is missing',
  ],
  [
    "an empty identifier",
    "situations:\n  location:\n    ids: { location: '' }\n",
    "3: situations.location.ids.location: ",
  ],
  [
    "a second item without an identifier",
    "situations:\n  two-logins:\n    - ids: { customer: 1, institution-login: 2, account: 3 }\n    - ids: { customer: 1 }\n",
    "4: situations.two-logins.1.ids: ",
  ],
  [
    "identifiers for an act",
    "situations:\n  account-change:\n    ids: { account: 1 }\n",
    '3: situations.account-change: "ids" is unknown',
  ],
  [
    "parameters without a value",
    "situations:\n  bare-customer:\n    with: { accounts: [] }\n    ids: { customer: 1 }\n",
    '3: situations.bare-customer.with: "consumer" is missing',
  ],
  ["a hook without a way", "clock: {}\n", "1: clock: give exactly one of ids, command and http"],
  [
    "an unknown capability",
    "capabilities:\n  - magic\n",
    "2: capabilities.0: choose from disposable-partner",
  ],
];

for (const [name, content, problem] of WRONG) {
  test(`${name} is reported with its line`, async () => {
    const file = await written(content);
    expect(() => readSituations(file)).toThrow(`SITUATIONS: ${file}:${problem}`);
  });
}

test("an item that serves one trial is given once, and others are given again", async () => {
  const logins = [1, 2].map((customer) => ({ ids: { customer, "institution-login": 5, account: 6 } }));
  const file = await written(
    stringify({ situations: { "two-logins": logins, location: { ids: { location: 7 } } } }),
  );
  const { arrange, offers } = offered(readSituations(file));
  expect([await arrange("location"), await arrange("location")]).toEqual([
    { location: "7" },
    { location: "7" },
  ]);
  expect([(await arrange("two-logins")).customer, (await arrange("two-logins")).customer]).toEqual([
    "1",
    "2",
  ]);
  expect([offers("two-logins"), offers("reseller")]).toEqual([true, false]);
  const more = arrange("two-logins");
  await expect(more).rejects.toThrow(NotTried);
  await expect(more).rejects.toThrow("needs one more two-logins in SITUATIONS");
});

test("the parameters choose the item", async () => {
  const items = [["mortgage"], []].map((accounts, index) => ({
    with: { accounts, consumer: true, business: true },
    ids: { customer: index },
  }));
  const { arrange, offers } = offered(
    readSituations(await written(stringify({ situations: { "bare-customer": items } }))),
  );
  const wanted = (accounts: string[]) => ({ accounts, consumer: true, business: true });
  expect(await arrange("bare-customer", wanted([]))).toEqual({ customer: "1" });
  expect(offers("bare-customer", wanted(["checking"]))).toBe(false);
});

test("a command and an HTTP request get the parameters, and answer with identifiers", async () => {
  const heard: unknown[] = [];
  const url = await api(({ path, fields }) => {
    heard.push(fields);
    return { status: path === "/down" ? 503 : 200, json: { ids: { account: 12 } } };
  });
  const program =
    'process.stdin.on("data", (text) => console.log(JSON.stringify({ ids: { told: JSON.parse(text).situation } })))';
  const file = await written(
    stringify({
      situations: {
        "new-transaction": { command: [process.execPath, "-e", program] },
        "account-change": { http: { url, body: { who: "us" } } },
        "issuer-endpoint": { http: { url: `${url}/down` } },
        location: { command: ["./no-such-program"] },
      },
      clock: { http: { url } },
    }),
  );
  const { arrange, has, advanceClock } = offered(readSituations(file));
  expect(await arrange("new-transaction")).toEqual({ told: "new-transaction" });
  expect(await arrange("account-change", { accountId: "1" })).toEqual({ account: "12" });
  await advanceClock?.(60);
  expect([has("clock"), has("linked-accounts")]).toEqual([true, false]);
  expect(heard).toEqual([
    { who: "us", situation: "account-change", parameters: { accountId: "1" } },
    { advance: 60 },
  ]);
  for (const [name, problem] of [
    ["issuer-endpoint", "answered 503"],
    ["location", "ENOENT"],
  ] as const) {
    const failing = arrange(name);
    await expect(failing).rejects.toThrow(TargetLost);
    await expect(failing).rejects.toThrow(problem);
  }
});

test("the test data of a sandbox without an admin interface unlocks requirements", async () => {
  const contract = await loadContract("card-enrollment");
  const sandbox = await startSandbox({ contracts: [contract], plain: true });
  try {
    const target = targetOf("external", sandbox.environment, false);
    const { capabilities } = await equip(target);
    const file = await written(stringify({ situations: sandbox.testData }));
    expect(await tried(contract, { target, capabilities })).toEqual([]);
    const known = together(offered(readSituations(file)), capabilities);
    expect(await tried(contract, { target, capabilities: known })).toEqual([
      "card-enrollment.error.declared-shape.errordetail",
      "card-enrollment.error.declared-shape.required-fields",
      "card-enrollment.errors.503.retry-after",
      "card-enrollment.errors.INTERNAL.500",
      "card-enrollment.errors.INTERNAL.sample-body",
      "card-enrollment.response.500.error-body",
    ]);
  } finally {
    await sandbox.close();
  }
});

test("a replay reads the situations file, as the run did", async () => {
  const contract = await loadContract("card-enrollment");
  const options = { services: [contract.service], port: 0, seed: 1, contracts: [contract], plain: true };
  const faults = ["card-enrollment.errors.INTERNAL.500.other-error-status"];
  const { environment, testData, close } = await startSandbox({ ...options, faults });
  try {
    const SITUATIONS = await written(stringify({ situations: testData }));
    const finding = {
      requirement: "card-enrollment.errors.INTERNAL.500",
      trial: "failures/internal-failure",
      fingerprint: "",
    };
    const end = async (values: Record<string, string>) => {
      const target = targetOf("external", { ...environment, ...values }, false);
      return replayTrial(finding, await trialsOf(contract), { contracts: [contract], target, run: {} });
    };
    expect(await end({})).toMatchObject({ end: "unknown" });
    expect(await end({ SITUATIONS })).toMatchObject({ end: "broken" });
  } finally {
    await close();
  }
});

const tried = async (
  contract: Contract,
  equipment: Pick<Parameters<typeof openSession>[0], "target" | "capabilities">,
): Promise<string[]> => {
  const chosen = (await trialsOf(contract)).filter(({ id }) => id.startsWith("failures/"));
  const verdicts = verdictsOf(await runAlone(contract, chosen, equipment));
  expect([...verdicts.values()].filter((verdict) => verdict === "failed" || verdict === "blocked")).toEqual(
    [],
  );
  const about = chosen.flatMap(({ requirements }) => requirements);
  return about.filter((id) => verdicts.get(id) === "passed").sort();
};

test("the sandbox offers every situation that trials ask for, with the identifiers of the catalogue", async () => {
  const contracts = await Promise.all(services().map((service) => loadContract(service)));
  const sandbox = await startSandbox({ services: services(), contracts });
  try {
    const { capabilities, release } = await equip(targetOf("sandbox", sandbox.environment, true));
    const known = new Set(contracts.flatMap(({ requirements }) => requirements.map(({ id }) => id)));
    for (const { name, ids, parameters, restsOnUntouched = [] } of situationRows()) {
      expect(restsOnUntouched.filter((id) => !known.has(id))).toEqual([]);
      if (name === "new-transaction" || name === "account-change") continue;
      expect(Object.keys(await capabilities.arrange(name, parameters)), name).toEqual(
        expect.arrayContaining([...ids]),
      );
    }
    await release();
  } finally {
    await sandbox.close();
  }
});

test("requests to a sandbox pass the gateway before it", async () => {
  const sandbox = await startSandbox({ contracts: [await loadContract("installments")] });
  const own = new URL(sandbox.baseUrls.installments ?? "");
  const gateway = await hostileServer(own.origin, (_, correct) => correct());
  for (const [base, copied] of [
    [`${gateway}${own.pathname}`, `${gateway}/t/*${own.pathname}`],
    [`${gateway}/gateway${own.pathname}/`, `${gateway}/gateway/t/*${own.pathname}`],
    [`${gateway}/elsewhere`, `${gateway}/elsewhere`],
  ] as const) {
    const { target, release } = await equip(targetOf("test", { INSTALLMENTS_BASE_URL: base }, false));
    expect(target.baseUrls.installments?.replace(/\/t\/t\d+/, "/t/*")).toBe(copied);
    await release();
  }
  const differences = ["installments.difference.behind-gateway"];
  const given = targetOf("test", { INSTALLMENTS_BASE_URL: own.href }, true);
  const elsewhere = await equip(given, { differences });
  expect(elsewhere.target.baseUrls.installments).toMatch(/\/t\/t\d+\/gateway\//);
  await elsewhere.release();
  await sandbox.close();
});

test("a busy sandbox is still ours, and another server that does not answer is none", async () => {
  const answers: Readonly<Record<string, object>> = {
    "/__sandbox": { capabilities: ["clock"], situations: [] },
    "/__sandbox/tenants": { tenant: "one", environment: {} },
  };
  const url = await web((request, response) => {
    const status = request.method === "POST" ? 201 : 200;
    setTimeout(() => response.writeHead(status).end(JSON.stringify(answers[request.url ?? ""])), 3_000);
  });
  const values = { INSTALLMENTS_BASE_URL: url };
  const [ours, other] = await Promise.all([true, false].map((one) => equip(targetOf("t", values, one))));
  expect([ours?.capabilities.has("clock"), other?.capabilities.has("clock")]).toEqual([true, false]);
  await closeAll();
});
