/** No request makes the sandbox fail, and requests do not make it grow. */
import { expect, test } from "@playwright/test";
import { Pool } from "undici";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { type Mock, startMock } from "../support/command.ts";
import { PROOF, sizeInLane } from "../support/lanes.ts";
import { hostileRequests } from "./hostile-requests.ts";

const PIECES = 10;
const LANES = 8;
/** Requests for which the state is kept: then the sandbox is reset, as a user would do. */
const UNTIL_RESET = 5_000;
/** How much the memory may grow after the first pieces, in which the sandbox compiles and fills its caches. */
const GROWTH = 1.3;

/** Credentials of each service by the name of its header. */
const signIn = async ({ baseUrls, credentials }: Mock, pool: Pool): Promise<Record<string, string>> => {
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

/** Returns the values of all fields of the data that identify something. */
const idsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    /id$/i.test(name) && typeof inner !== "object" ? [encodeURIComponent(String(inner))] : idsIn(inner),
  );
};

test("random and hostile requests get no 5xx, and memory stays flat", PROOF, async () => {
  const total = sizeInLane({ sample: 2_000, full: 200_000 });
  const mock = await startMock([]);
  const pool = new Pool(new URL(mock.baseUrls.installments ?? "").origin, { connections: LANES });
  const contracts: readonly Contract[] = await Promise.all(
    services().map((service) => loadContract(service)),
  );
  let financial = await signIn(mock, pool);
  const right: Record<string, () => Record<string, string>> = {
    "financial-data": () => financial,
    installments: () => ({ authorization: mock.credentials.INSTALLMENTS_AUTHORIZATION ?? "" }),
    "card-enrollment": () => ({ "x-openapi-clientid": mock.credentials.CARD_ENROLLMENT_API_KEY ?? "" }),
  };
  const ids = idsIn(await jsonAt(pool, "/__sandbox/data"));
  const next = hostileRequests(
    contracts.map((contract) => ({
      contract,
      right: right[contract.service] ?? (() => ({})),
      ids,
      resources: {
        "src-client-id": mock.credentials.CARD_ENROLLMENT_SRC_CLIENT_ID ?? "",
        "service-id": mock.credentials.CARD_ENROLLMENT_SERVICE_ID ?? "",
        "acquirer-ica": "001111",
        "merchant-country": "USA",
        "merchant-name": "Lamps",
        currency: "USD",
        offer: "offer-01",
        plan: "11111111-1111-4111-8111-111111111111",
        "purchase-amount": "120",
      },
    })),
    20_261_123,
  );
  const failures: unknown[] = [];
  const statuses = new Map<number, number>();
  const send = async (): Promise<void> => {
    const { service, ...request } = next();
    const path = `${new URL(mock.baseUrls[service] ?? "").pathname}${request.path}`;
    const { statusCode, body } = await pool.request({ ...request, method: request.method as "GET", path });
    const text = await body.text();
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    if (statusCode >= 500)
      failures.push([request.method, path, request.body?.slice(0, 300), text.slice(0, 200)]);
  };
  const sizes: number[] = [];
  let sent = 0;
  for (let piece = 0; piece < PIECES; piece++) {
    const until = (total / PIECES) * (piece + 1);
    while (sent < until) {
      const part = Math.min(UNTIL_RESET, until - sent);
      let left = part;
      const lane = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await send();
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      sent += part;
      if (total <= UNTIL_RESET) continue;
      await jsonAt(pool, "/__sandbox/reset", "POST");
      financial = await signIn(mock, pool);
    }
    sizes.push((await jsonAt<{ residentBytes: number }>(pool, "/__sandbox/health")).residentBytes);
  }
  await pool.close();
  await mock.stop();
  const told = `${sent} requests; ${JSON.stringify(Object.fromEntries(statuses))}; MB ${sizes.map((size) => Math.round(size / 1e6))}`;
  test.info().annotations.push({ type: "figures", description: told });
  expect([failures.slice(0, 5), mock.complaint()], told).toEqual([[], ""]);
  expect(statuses.get(200) ?? 0, told).toBeGreaterThan(sent / 50);
  expect(Math.max(...sizes.slice(5)), told).toBeLessThan(Math.max(...sizes.slice(0, 5)) * GROWTH);
});
