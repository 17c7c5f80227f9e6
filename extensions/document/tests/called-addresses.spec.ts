/** The addresses in answers of the sandbox of a document: clients reach it in several ways. */
import { expect, test } from "@playwright/test";
import type { Call } from "../../../mocks/engine/call.ts";
import { onDocument } from "../../../tests/self/support/document.ts";
import { QUICK } from "../../../tests/self/support/lanes.ts";
import { ownAddress } from "../sandbox/address.ts";

const DOCUMENT = `
openapi: 3.1.0
info: { title: Trips, version: 1.0.0 }
servers: [{ url: https://trips.example.com/api/v2 }]
paths:
  /trips:
    get:
      operationId: listTrips
      parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1 } }, { name: page, in: query, schema: { type: integer, minimum: 1 } }]
      responses: { "200": { description: All., content: { application/json: { schema: { type: object, required: [trips], properties: { trips: { type: array, items: { $ref: "#/components/schemas/Trip" } }, next: { type: [string, "null"], format: uri } } } } } } }
    post:
      operationId: postTrip
      requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { town: { type: string } } } } } }
      responses: { "201": { description: Made., headers: { Location: { required: true, schema: { type: string, format: uri } } }, content: { application/json: { schema: { $ref: "#/components/schemas/Trip" } } } } }
  /trips/{tripId}:
    get:
      operationId: getTrip
      parameters: [{ name: tripId, in: path, required: true, schema: { type: string } }]
      responses: { "200": { description: One., content: { application/json: { schema: { $ref: "#/components/schemas/Trip" } } } }, "404": { description: None. } }
components: { schemas: { Trip: { type: object, required: [id], properties: { id: { type: string }, town: { type: string } } } } }
`;

test("the addresses of resources and of next pages lead there, also behind a proxy", QUICK, async () => {
  await onDocument(test.info().outputPath("trips"), "trips", DOCUMENT, async (_contract, baseUrl) => {
    const proxied = { "x-forwarded-proto": "https", "x-forwarded-host": "api.example.com" };
    const create = (headers = {}): Promise<Response> =>
      fetch(`${baseUrl}/trips`, {
        ...{ method: "POST", body: '{"town":"Ulm"}' },
        headers: { "content-type": "application/json", ...headers },
      });
    const made = [await create(), await create(proxied), await create()];
    const [own = "", behind = ""] = made.map(({ headers }) => headers.get("location") ?? "");
    expect((await fetch(own)).status).toBe(200);
    expect(behind).toContain(`https://api.example.com${new URL(baseUrl).pathname}/trips/`);
    const pageAt = async (url: string, headers = {}): Promise<{ trips: object[]; next?: string }> =>
      (await fetch(url, { headers })).json() as never;
    const first = await pageAt(`${baseUrl}/trips?limit=1`);
    const second = await pageAt(first.next ?? "");
    expect(second.trips).toHaveLength(1);
    expect(second.trips).not.toEqual(first.trips);
    const { next } = await pageAt(`${baseUrl}/trips?limit=1`, proxied);
    expect(next).toContain(`https://api.example.com${new URL(baseUrl).pathname}/trips?`);
  });
});

for (const [base, headers, address] of [
  ["http://127.0.0.1:80/api", {}, "http://127.0.0.1/api/a%2Fb"],
  ["https://127.0.0.1:4010/api", { host: "127.0.0.1:4010" }, "https://127.0.0.1:4010/api/a%2Fb"],
  ["http://127.0.0.1:4010/t/x/api", { host: "mock:4010" }, "http://mock:4010/t/x/api/a%2Fb"],
  ["http://127.0.0.1:1/api", { host: "m", "x-forwarded-proto": "https, http" }, "https://m/api/a%2Fb"],
  ["http://127.0.0.1:1/api", { host: "no host" }, "http://127.0.0.1:1/api/a%2Fb"],
  ["http://127.0.0.1:1/api", { host: "m", "x-forwarded-proto": "gopher" }, "http://127.0.0.1:1/api/a%2Fb"],
] as const)
  test(
    `the sandbox at ${base} that is called with ${JSON.stringify(headers)} is at ${address}`,
    QUICK,
    () => {
      const call = { headers, path: { id: "a/b" }, operation: { path: "/{id}" } } as unknown as Call;
      expect(ownAddress(call, base)).toBe(address);
    },
  );
