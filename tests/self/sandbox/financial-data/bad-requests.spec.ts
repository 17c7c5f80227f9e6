/** No request makes the financial data sandbox fail or disclose internals. */
import { expect } from "@playwright/test";
import { send } from "./client.ts";
import { test } from "./fixture.ts";

test("five thousand bad requests are client errors with a JSON body", async ({ openTenant }) => {
  const { client, contract } = await openTenant();
  const base = client.environment.FINANCIAL_DATA_BASE_URL ?? "";
  const right = {
    "partner-app-key": client.environment.FINANCIAL_DATA_APP_KEY ?? "",
    "partner-app-token": client.token,
  };
  const spoiled = ["{", "[1,2", "nul", '"\\ud800', '{"a":}', "\u0000", "<xml/>"];
  const ids = [
    "0",
    "-1",
    "abc",
    "%00",
    "%F0%9F%98%80",
    "9".repeat(40),
    "..%2F..",
    "null",
    "1e9",
    "%C3%A9",
    "'--",
    "_",
  ];
  const surprising: unknown[] = [];
  let sent = 0;
  const expectRefusal = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ) => {
    sent += 1;
    const { status, text, json } = await send(method, `${base}${path}`, headers, body);
    const refused = status >= 400 && status < 500 && typeof json === "object" && text.startsWith("{");
    if (!refused || /node_modules|mocks\/|at .+:\d+/.test(text))
      surprising.push([method, path, status, text.slice(0, 200)]);
  };
  for (const { method, path, requestBody, parameters } of contract.operations) {
    const withId = (id: string) => path.replace(/\{[^}]+\}/g, id);
    const refusable = requestBody?.required === true;
    for (const body of refusable ? spoiled : []) await expectRefusal(method, withId("7"), right, body);
    for (const id of path.includes("{") ? ids : []) {
      const bodiless = method === "GET" || method === "DELETE";
      await expectRefusal(method, withId(id), right, bodiless ? undefined : "[]");
      await expectRefusal(method, withId(id), {});
      await expectRefusal("PATCH", withId(id), right, "{}");
    }
    for (const { in: place, name, schema } of parameters) {
      if (place !== "query" || schema.type !== "integer") continue;
      for (const value of ["abc", "1.5e", "%20", "--1"])
        await expectRefusal(method, `${withId("7")}?${name}=${value}`, right);
    }
    for (const type of refusable ? ["text/plain", "application/xml", "?", "multipart/form-data"] : []) {
      await expectRefusal(method, withId("7"), { ...right, "content-type": type }, "{}");
    }
    for (const headers of [{}, { "partner-app-key": "x" }, { "partner-app-token": "%" }]) {
      await expectRefusal(method, withId("7"), headers as Record<string, string>);
      await expectRefusal(method, `${withId("7")}/nowhere`, right);
    }
    if (refusable) await expectRefusal(method, withId("7"), right, `"${"x".repeat(4_200_000)}"`);
  }
  expect(surprising.slice(0, 5)).toEqual([]);
  expect(sent).toBeGreaterThan(5_000);
});
