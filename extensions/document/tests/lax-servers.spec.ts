/** Servers that do too little: they refuse nothing, keep nothing, show less, or take only the values that their user knows. */
import { expect, test } from "@playwright/test";
import { api, closeAll } from "../../../tests/self/support/loopback.ts";
import { certifyDocument } from "./support/certified-document.ts";

const PROPERTIES = [
  "title: { type: string, minLength: 2, maxLength: 5 }",
  "size: { type: string, enum: [small, large] }",
  "copies: { type: integer, minimum: 2, maximum: 9 }",
  "taken: { type: string, format: date }",
];
const NOTE = `{ type: object, required: [title, size], properties: { ${PROPERTIES.join(", ")} } }`;

const posting = (type: string, parameter = "") => `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: postNote
      parameters: [${parameter}]
      requestBody: { required: true, content: { ${type}: { schema: ${NOTE} } } }
      responses: { "204": { description: Kept. }, "400": { description: Wrong. } }
components: { schemas: { Error: { type: object, properties: { title: { type: integer } } } } }
`;

test.afterEach(closeAll);

for (const type of ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"])
  test(`a server that accepts every ${type} passes no rule of requests`, async () => {
    const url = await api(({ path }) => (path === "/notes" ? 204 : 404));
    const { code, certificate } = await certifyDocument(posting(type), url);
    const ofRequests = certificate.requirements.filter(({ id }) => id.startsWith("notes.postNote.request."));
    expect(ofRequests.filter(({ verdict }) => verdict === "passed").map(({ id }) => id)).toEqual([]);
    expect(ofRequests.filter(({ verdict }) => verdict === "failed").length).toBeGreaterThan(0);
    expect(code).toBe(1);
  });

test("a server that loses what it creates fails, also if the document has an example of its id", async () => {
  const document = `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes: { post: { responses: { "201": &note { description: "", content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } } } } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: integer }, example: 12 }]
    get: { operationId: getNote, responses: { "200": *note, "404": { description: No. } } }
`;
  const url = await api(({ method }) => (method === "POST" ? { status: 201, json: { id: 100 } } : 404));
  const args = ["--requirement", "notes.getNote.success", "--depth", "quick"];
  const { code, deviating } = await certifyDocument(document, url, args);
  expect([code, deviating]).toEqual([1, ["failed notes.getNote.success"]]);
});

test("a server may leave out what a call does not choose, but not what it chooses", async () => {
  const documentWith = (parameter: string) => `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /note:
    get:
      operationId: getNote
      parameters: [{ name: ${parameter}, in: query, schema: { type: array, items: { enum: [title, size] } }, explode: false }]
      responses: { "200": { description: "", content: { application/json: { schema: ${NOTE} } } } }
`;
  for (const row of ["only small: advisory", "only: failed", "sort small: failed"]) {
    const [, parameter = "", size, verdict] = /^(\w+) ?(\w*): (\w+)$/.exec(row) ?? [];
    const all = { title: "Tea", ...(size && { size }) };
    const url = await api(({ path, query }) => {
      const shown = query.get(parameter)?.toLowerCase() ?? "title, size";
      const json = Object.fromEntries(Object.entries(all).filter(([name]) => shown.includes(name)));
      return path === "/note" ? { status: 200, json } : 404;
    });
    const { of } = await certifyDocument(documentWith(parameter), url);
    expect(of("notes.getNote.response.body")?.verdict, row).toBe(verdict);
  }
});

test("each valid call has the values that the user gives", async () => {
  const document = posting("application/json", "{ name: X-Team, in: header, schema: { type: string } }");
  const url = await api(({ path, headers, fields }) =>
    path !== "/notes" ? 404 : headers["x-team"] === "red" && fields.title === "Tea" ? 204 : 400,
  );
  const given = (title: string) => ["--value", "X-Team=red", "--value", `title=${title}`, "--depth", "quick"];
  const { of } = await certifyDocument(document, url, given("Tea"));
  expect(of("notes.postNote.success")?.verdict).toBe("passed");
  await expect(certifyDocument(document, url, given("Long title"))).rejects.toThrow();
});

test("a server may take only the values that its document states, and identify what its links name", async () => {
  const document = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /order:
    post:
      operationId: place.order
      tags: [buying]
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
      responses:
        "201":
          description: ""
          headers: { X-Word: { schema: { $ref: "#/components/schemas/Word" } } }
          content: { application/json: { example: { ticket: t-1 }, schema: { $ref: "#/components/schemas/Made" } } }
          links: { Look: { operationId: look, parameters: { ticketId: $response.body#/ticket } } }
        "400": { description: "" }
  /tickets/{ticketId}:
    parameters: [{ name: ticketId, in: path, required: true, schema: { type: string } }]
    get: { operationId: look, responses: { "200": { description: "" }, "404": { description: "" } } }
components: { schemas: { Word: { type: string, example: tea }, Made: { type: object, required: [ticket], properties: { ticket: { type: string } } }, Order: { type: object, required: [sku], properties: { sku: { type: string, maxLength: 9, example: A-1 }, note: { type: string, maxLength: 9 } } } } }
`;
  for (const [allow, isStrict, deviating] of [
    ["POST", true, []],
    [undefined, false, ["advisory unlisted-method", "failed request.note.max-length"]],
  ] as const) {
    const tickets = new Set<string>();
    const url = await api(({ method, path, fields: { sku, note = "" } }) => {
      if (path.startsWith("/tickets/")) return tickets.has(path.slice(9)) ? 200 : 404;
      if (method !== "POST") return { status: 405, json: {}, headers: { ...(allow && { allow }) } };
      const isRight = typeof note === "string" && (!isStrict || note.length <= 9);
      if (sku !== "A-1" || !isRight) return 400;
      tickets.add(`t-${tickets.size}x`);
      return { status: 201, json: { ticket: `t-${tickets.size - 1}x` } };
    });
    const told = await certifyDocument(document, url, ["--operation", "tag:buying,GET /tickets*"]);
    const known = "advisory request.sku.max-length";
    expect(told.deviating.map((one) => one.replace("shop.placeOrder.", ""))).toEqual([known, ...deviating]);
    expect(told.of("shop.look.success")?.verdict).toBe("passed");
  }
  const methods = new Set<string>();
  const url = await api(({ method, path }) => (methods.add(method) && path === "/tickets/t-1" ? 418 : 404));
  const args = ["--exclude", "tag:buying", "--id", "ticketId=t-1"];
  const { certificate } = await certifyDocument(document, url, args);
  expect([...methods]).toEqual(["GET"]);
  expect(certificate.findings[0]?.replay).toContain("--exclude placeOrder");
});
