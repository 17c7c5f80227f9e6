/** No request makes the sandbox fail, and requests do not make it grow. */
import { expect, test } from "@playwright/test";
import { Pool } from "undici";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { startSandbox } from "../../../mocks/sandbox.ts";
import { startMock } from "../support/command.ts";
import { PROOF, sizeInLane } from "../support/lanes.ts";
import { hostileRequests } from "./hostile-requests.ts";
import { knownIds } from "./known-ids.ts";
import { withoutBodyRules } from "./without-body-rules.ts";

const PIECES = 10;
const LANES = 8;
/** Requests for which the state is kept: then the sandbox is reset, as a user would do. */
const UNTIL_RESET = 5_000;
/** How much the memory may grow after the first pieces, in which the sandbox compiles and fills its caches. */
const GROWTH = 1.3;

const SIZES = { sample: 2_000, full: 200_000 };

interface Served {
  readonly baseUrls: Readonly<Record<Service, string>>;
  readonly credentials: Readonly<Record<string, string>>;
}

/** Credentials of each service by the name of its header. */
const signIn = async ({ baseUrls, credentials }: Served, pool: Pool): Promise<Record<string, string>> => {
  const key = { "partner-app-key": credentials.FINANCIAL_DATA_APP_KEY ?? "" };
  const { pathname } = new URL(baseUrls["financial-data"] ?? "");
  const { body } = await pool.request({
    method: "POST",
    path: `${pathname}/aggregation/v2/partners/authentication`,
    headers: { ...key, "content-type": "application/json" },
    body: JSON.stringify({
      partnerId: credentials.FINANCIAL_DATA_PARTNER_ID,
      partnerSecret: credentials.FINANCIAL_DATA_PARTNER_SECRET,
    }),
  });
  const { token } = (await body.json()) as { token: string };
  return { ...key, "partner-app-token": token };
};

const jsonAt = async <Json>(pool: Pool, path: string, method: "GET" | "POST" = "GET"): Promise<Json> =>
  (await (await pool.request({ method, path })).body.json()) as Json;

/** Identifiers of resources in the form that a body must name. */
const resourcesOf = (credentials: Served["credentials"]): Readonly<Record<string, string>> => ({
  "src-client-id": credentials.CARD_ENROLLMENT_SRC_CLIENT_ID ?? "",
  "service-id": credentials.CARD_ENROLLMENT_SERVICE_ID ?? "",
  "acquirer-ica": "001111",
  "merchant-country": "USA",
  "merchant-name": "Lamps",
  currency: "USD",
  offer: "offer-01",
  plan: "11111111-1111-4111-8111-111111111111",
  "purchase-amount": "120",
});

/** Opens a connection that sends hostile requests, and that collects the answers. */
const hostileClient = async (sandbox: Served, contracts: readonly Contract[]) => {
  const { baseUrls, credentials } = sandbox;
  const pool = new Pool(new URL(baseUrls.installments ?? "").origin, { connections: LANES });
  const ids = knownIds();
  let financial: Record<string, string> = {};
  const begin = async (): Promise<void> => {
    financial = await signIn(sandbox, pool);
    ids.learn(await jsonAt(pool, "/__sandbox/data"));
  };
  await begin();
  const right: Record<string, () => Record<string, string>> = {
    "financial-data": () => financial,
    installments: () => ({ authorization: credentials.INSTALLMENTS_AUTHORIZATION ?? "" }),
    "card-enrollment": () => ({ "x-openapi-clientid": credentials.CARD_ENROLLMENT_API_KEY ?? "" }),
  };
  const parties = contracts.map((contract) => ({
    contract,
    right: right[contract.service] ?? (() => ({})),
    ids,
    resources: resourcesOf(credentials),
  }));
  const next = hostileRequests(parties, 20_261_123);
  const failures: unknown[] = [];
  const statuses = new Map<number, number>();
  const send = async (): Promise<void> => {
    const { service, ...request } = next();
    const path = `${new URL(baseUrls[service] ?? "").pathname}${request.path}`;
    const { statusCode, headers, body } = await pool.request({
      ...request,
      method: request.method as "GET",
      path,
    });
    const text = await body.text();
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    const isTold = /^\{(?!.*(?:node_modules|mocks\/|at .+:\d+))/s.test(text) || request.method === "HEAD";
    if (statusCode >= 500 || (statusCode >= 400 && !isTold))
      failures.push([request.method, path, request.body?.slice(0, 300), text.slice(0, 200)]);
    if (statusCode < 300 && text !== "" && String(headers["content-type"]).includes("json"))
      ids.learn(JSON.parse(text));
  };
  return {
    failures,
    statuses,
    send: async (requests: number): Promise<void> => {
      let left = requests;
      const lane = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await send();
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    },
    reset: async (): Promise<void> => {
      await jsonAt(pool, "/__sandbox/reset", "POST");
      await begin();
    },
    residentBytes: async (): Promise<number> =>
      (await jsonAt<{ residentBytes: number }>(pool, "/__sandbox/health")).residentBytes,
    close: () => pool.close(),
  };
};

const loadContracts = (): Promise<readonly Contract[]> =>
  Promise.all(services().map((service) => loadContract(service)));

test("hostile requests get no 5xx and no internals, and memory stays flat", PROOF, async () => {
  const total = sizeInLane(SIZES);
  const mock = await startMock([]);
  const client = await hostileClient(mock, await loadContracts());
  const { failures, statuses } = client;
  const sizes: number[] = [];
  let sent = 0;
  for (let piece = 0; piece < PIECES; piece++) {
    const until = (total / PIECES) * (piece + 1);
    while (sent < until) {
      const part = Math.min(UNTIL_RESET, until - sent);
      await client.send(part);
      sent += part;
      if (total > UNTIL_RESET) await client.reset();
    }
    sizes.push(await client.residentBytes());
  }
  await client.close();
  await mock.stop();
  const told = `${sent} requests; ${JSON.stringify(Object.fromEntries(statuses))}; MB ${sizes.map((size) => Math.round(size / 1e6))}`;
  test.info().annotations.push({ type: "figures", description: told });
  expect([failures.slice(0, 5), mock.complaint()], told).toEqual([[], ""]);
  expect(statuses.get(200) ?? 0, told).toBeGreaterThan(sent / 50);
  expect(Math.max(...sizes.slice(5)), told).toBeLessThan(Math.max(...sizes.slice(0, 5)) * GROWTH);
});

test("hostile requests get no 5xx where no document has rules for the bodies", PROOF, async () => {
  const total = sizeInLane(SIZES);
  const contracts = await loadContracts();
  await using sandbox = await startSandbox({ contracts: contracts.map(withoutBodyRules) });
  const client = await hostileClient(sandbox, contracts);
  for (let sent = 0; sent < total; sent += UNTIL_RESET) {
    if (sent > 0) await client.reset();
    await client.send(Math.min(UNTIL_RESET, total - sent));
  }
  await client.close();
  const told = `${total} requests; ${JSON.stringify(Object.fromEntries(client.statuses))}`;
  test.info().annotations.push({ type: "figures", description: told });
  expect(client.failures.slice(0, 5), told).toEqual([]);
  expect(client.statuses.get(200) ?? 0, told).toBeGreaterThan(total / 20);
});
