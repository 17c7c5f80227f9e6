/** Statements, pay statements and assets in the financial data sandbox. */
import { expect } from "@playwright/test";
import { request } from "undici";
import { pathIds, statusesAmiss } from "./every-status.ts";
import { DOCUMENTS, test } from "./fixture.ts";
import type { Tenant } from "./tenant.ts";

const ONE = "GetCustomerAccountStatement";
const SEVERAL = "GetCustomerAccountMultipleStatement";
const STORE = "StoreCustomerPayStatement";
const ASSET = "GetAssetByCustomerID";
const ALL = `?index=${Array.from({ length: 24 }, (_, index) => index + 1).join(",")}`;
const MONTH = 31 * 86_400;

interface Detail {
  readonly index: string;
  readonly id: string;
  readonly asOfDate: number;
}

const arranged = async ({ arrange }: Tenant, situation = "two-logins") => pathIds(await arrange(situation));

interface File {
  readonly status: number;
  readonly type: string;
  readonly bytes: Buffer;
}

const download = async (
  own: Tenant,
  operationId: string,
  ids: Record<string, string>,
  query = "",
): Promise<File> => {
  const operation = own.contract.operations.find((one) => one.operationId === operationId);
  const path = (operation?.path ?? "").replace(/\{([^}]+)\}/g, (_, name: string) => ids[name] ?? "4711");
  const { FINANCIAL_DATA_BASE_URL: base, FINANCIAL_DATA_APP_KEY: key = "" } = own.environment;
  const headers = { "partner-app-key": key, "partner-app-token": own.client.token };
  const { statusCode, headers: answered, body } = await request(`${base}${path}${query}`, { headers });
  const bytes = Buffer.from(await body.arrayBuffer());
  return { status: statusCode, type: String(answered["content-type"]).split(";")[0] ?? "", bytes };
};

const details = async (own: Tenant, ids: Record<string, string>, query = ""): Promise<Detail[]> =>
  (await own.client.operate(SEVERAL, ids, undefined, query)).json.statements as Detail[];

const store = async (own: Tenant, ids: Record<string, string>, content: Buffer): Promise<string> => {
  const body = { label: "lastPayPeriod", statement: content.toString("base64") };
  return String((await own.client.operate(STORE, ids, body)).json.assetId);
};

for (const [document, lane] of DOCUMENTS) {
  test(`every documented status has a body that matches ${document}`, lane, async ({ openTenantOf }) => {
    const own = await openTenantOf(document);
    const [ids, challenged] = [await arranged(own), await arranged(own, "mfa-account")];
    const [detail] = await details(own, ids);
    const more = {
      [ONE]: { statuses: { 203: challenged } },
      [SEVERAL]: { query: "?index=1,2,24", statuses: { 203: challenged } },
      [STORE]: { body: { label: "lastPayPeriod", statement: "JVBERi0xLjQK" } },
      [ASSET]: { ids: { assetId: detail?.id ?? "" } },
    };
    expect(await statusesAmiss({ ...own, ids, more }, [ONE, SEVERAL, STORE, ASSET])).toEqual([]);
  });
}

/** Whether each entry of the cross-reference table points to the object that it names. */
const isPdf = (bytes: Buffer): boolean => {
  const text = bytes.toString("latin1");
  const at = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const [, ...offsets] = [...text.slice(at).matchAll(/(\d{10}) \d{5} [fn]/g)].map(([, offset]) =>
    Number(offset),
  );
  const leads = offsets.every((offset, index) => text.startsWith(`${index + 1} 0 obj`, offset));
  return text.startsWith("%PDF-1.") && text.startsWith("xref", at) && offsets.length > 3 && leads;
};

test("a statement is a real PDF of the account, and each index has a different PDF", async ({
  openTenant,
}) => {
  const own = await openTenant();
  const ids = await arranged(own);
  const first = await download(own, ONE, ids);
  expect([first.status, first.type, isPdf(first.bytes)]).toEqual([200, "application/pdf", true]);
  expect((await download(own, ONE, ids, "?index=1")).bytes.equals(first.bytes)).toBe(true);
  expect((await download(own, ONE, ids, "?index=2")).bytes.equals(first.bytes)).toBe(false);
  for (const index of ["0", "25", "x"]) {
    expect((await download(own, ONE, ids, `?index=${index}`)).status).toBe(400);
  }
});

test("24 statements reach back 24 months, and each is downloaded as an asset", async ({ openTenant }) => {
  const own = await openTenant();
  const ids = await arranged(own);
  const all = await details(own, ids, ALL);
  expect(all.map(({ index }) => index)).toEqual(Array.from({ length: 24 }, (_, index) => String(index + 1)));
  const span = (all[0]?.asOfDate ?? 0) - (all[23]?.asOfDate ?? 0);
  expect(span).toBeGreaterThan(22 * MONTH);
  expect(span).toBeLessThan(24 * MONTH);
  for (const { id, index } of [all[0], all[23]] as Detail[]) {
    const asset = await download(own, ASSET, { ...ids, assetId: id });
    const statement = await download(own, ONE, ids, `?index=${index}`);
    expect([asset.status, asset.type, asset.bytes.equals(statement.bytes)]).toEqual([
      200,
      "application/pdf",
      true,
    ]);
  }
  for (const wrong of ["?index=0", "?index=1,25", "?index=a", `${ALL},25`]) {
    expect((await own.client.operate(SEVERAL, ids, undefined, wrong)).status).toBe(400);
  }
});

test("a stored file is returned byte for byte, and only for its customer", async ({ openTenant }) => {
  const own = await openTenant();
  const [ids, others] = [await arranged(own), await arranged(own)];
  const contents: [content: Buffer, type: string][] = [
    [Buffer.from("%PDF-1.7\n\xff\x00 fictional\r\n", "latin1"), "application/pdf"],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255]), "image/png"],
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 2]), "image/jpeg"],
    [Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), "application/octet-stream"],
  ];
  for (const [content, type] of contents) {
    const assetId = await store(own, ids, content);
    const asset = await download(own, ASSET, { ...ids, assetId });
    expect([asset.status, asset.type, asset.bytes.equals(content)]).toEqual([200, type, true]);
    expect((await download(own, ASSET, { ...others, assetId })).status).toBe(404);
  }
});

test("accounts of all documented types have statements", async ({ openTenant }) => {
  const own = await openTenant();
  const ids = pathIds(own.environment);
  const { json } = await own.client.operate("GetCustomerAccounts", ids);
  const accounts = json.accounts as { id: string }[];
  const statuses = await Promise.all(
    accounts.map(async ({ id }) => (await download(own, ONE, { ...ids, accountId: id })).status),
  );
  expect(statuses).toEqual(Array(10).fill(200));
});

test("each fault is visible in its operation", async ({ openTenant }) => {
  const status = (operationId: string) => async (own: Tenant) =>
    (await own.client.operate(operationId, await arranged(own, "mfa-account"))).status;
  const pdf = async (own: Tenant) => {
    const { type, bytes } = await download(own, ONE, await arranged(own));
    return [type, isPdf(bytes)];
  };
  const asset = async (own: Tenant) => {
    const ids = await arranged(own);
    const content = Buffer.from("%PDF-1.4\n");
    const { type, bytes } = await download(own, ASSET, { ...ids, assetId: await store(own, ids, content) });
    return [type, bytes.equals(content)];
  };
  const linked = async (own: Tenant) => {
    const ids = await arranged(own);
    const [detail] = await details(own, ids);
    return (await download(own, ASSET, { ...ids, assetId: detail?.id ?? "" })).status;
  };
  const many = async (own: Tenant) => (await details(own, await arranged(own), ALL))?.length;
  const months = async (own: Tenant) => {
    const all = await details(own, await arranged(own), "?index=1,24");
    return Math.round(((all[0]?.asOfDate ?? 0) - (all.at(-1)?.asOfDate ?? 0)) / MONTH / 10);
  };
  const differing = async (own: Tenant) => {
    const ids = await arranged(own);
    const [first, second] = [await download(own, ONE, ids), await download(own, ONE, ids, "?index=3")];
    return !first.bytes.equals(second.bytes);
  };
  const sound = ["application/pdf", true];
  const cases: [fault: string, see: (own: Tenant) => Promise<unknown>, straight: unknown, faulty: unknown][] =
    [
      [`${ONE}.203-mfa.no-challenge`, status(ONE), 203, 200],
      [`${SEVERAL}.203-mfa.no-challenge`, status(SEVERAL), 203, 200],
      [`${ONE}.returns-pdf.text`, pdf, sound, ["application/octet-stream", false]],
      [`${ONE}.returns-pdf.as-json`, pdf, sound, ["application/json", false]],
      [`${ONE}.statement-index.ignored`, differing, true, false],
      ["asset.binary-file.altered-on-the-way", asset, sound, ["application/pdf", false]],
      [`${ASSET}.returns-binary.as-json`, asset, sound, ["application/json", false]],
      [`${SEVERAL}.asset-id.unknown`, linked, 200, 404],
      [`${SEVERAL}.up-to-24.twelve-at-most`, many, 24, undefined],
      [`${SEVERAL}.up-to-24.one-too-many`, many, 24, 25],
      [`${SEVERAL}.statement-indexes.ignored`, many, 24, 1],
      ["statements.24-months.48-months", months, 2, 5],
    ];
  for (const [fault, see, straight, faulty] of cases) {
    expect([fault, await see(await openTenant())]).toEqual([fault, straight]);
    expect([fault, await see(await openTenant(fault))]).toEqual([fault, faulty]);
  }
});
