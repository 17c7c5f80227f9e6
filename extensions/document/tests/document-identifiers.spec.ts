/** `certify --document`: the identifiers with which a run calls the operations of any document. */
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { api, closeAll } from "../../../tests/self/support/loopback.ts";
import { KEYS, toolLibrary } from "./documents/tool-library.ts";
import { certifyDocument, FREE } from "./support/certified-document.ts";

const TOOLS = fileURLToPath(new URL("./documents/tool-library.yaml", import.meta.url));
const TOOL_KEY = ["--header", "X-Key: $TOOL_KEY"];

test.afterEach(closeAll);

/** A document with one read, of the member that the path names. */
const reading = (plural: string, operationId: string, id: string, schema: string) => `
openapi: 3.1.0
info: { title: ${plural}, version: 1.0.0 }
paths:
  /${plural}/{${id}}:
    get:
      operationId: ${operationId}
      parameters: [{ name: ${id}, in: path, required: true, schema: ${schema} }]
      responses:
        "200": { description: It., content: { application/json: { schema: { type: object } } } }
        "404": { description: Nothing is there. }
`;
const ITEMS = `${reading("items", "getItem", "itemId", "{ type: string }")}        "400": { description: No identifier. }
`;

for (const [what, longer, verdict] of [
  ["answers 404 to a longer one", 404, "passed"],
  ["refuses a longer one otherwise", 400, "not-tried"],
  ["accepts a longer one too", 200, "failed"],
] as const) {
  test(`a server that knows every short identifier, and ${what}`, async () => {
    // With the same answer for a path that the document lacks, the run would not start.
    const statusOf = (path: string) =>
      /^\/items\/\d$/.test(path) ? 200 : path.startsWith("/items/") ? longer : 404;
    const url = await api(({ path }) => ({ status: statusOf(path), json: {} }));
    const id = "items.getItem.unknown-itemId";
    const { of } = await certifyDocument(ITEMS, url, ["--id", "item=5", "--requirement", id]);
    expect(of(id)?.verdict).toBe(verdict);
  });
}

test("identifiers are learnt from lists and addresses, and nothing of others is changed", async () => {
  const { url, requests } = await toolLibrary();
  const { code, of } = await certifyDocument(TOOLS, url, TOOL_KEY, KEYS);
  expect(code).toBe(0);
  for (const id of ["getTool.success", "getTool.unknown-toolId", "getRepo.success", "addTool.distinct-ids"])
    expect(of(`tool-library.${id}`)?.verdict, id).toBe("passed");
  expect(of("tool-library.getShelf.success")?.reason).toBe(
    "needs shelf: give --id shelf=VALUE, which the service knows",
  );
  expect(of("tool-library.returnLoan.success")?.reason).toContain("or set ALLOW_DESTRUCTIVE=true");
  const changes = requests.filter((one) => !/^(GET |POST \/(tools|log-in) )/.test(one));
  expect(changes.filter((one) => !/^DELETE \/tools\/made-/.test(one))).toEqual([]);
  expect(changes).toHaveLength(requests.filter((one) => one === "POST /tools 201").length);
});

test("an identifier that the user gives is used before a list", async () => {
  const { url, requests } = await toolLibrary();
  const given = ["--operation", "getShelf,getTool", "--id", "shelf=s1", "--id", "toolId=hammer"];
  const { code, certificate } = await certifyDocument(
    TOOLS,
    url,
    [...TOOL_KEY, "--depth", "quick", ...given],
    KEYS,
  );
  expect([code, certificate.summary.failed]).toEqual([0, 0]);
  expect(requests.filter((one) => /\/(tools|makers|loans)( |$)/.test(one))).toEqual([]);
  expect(requests).toContain("GET /tools/hammer 200");
  expect(requests).toContain("GET /shelves/s1 200");
});

const BOXES = `
openapi: 3.1.0
info: { title: Boxes, version: 1.0.0 }
paths:
  /boxes:
    post:
      operationId: addBox
      responses: { "201": { description: The box., content: { application/json: { schema: &box { type: object, required: [id], properties: { id: { type: integer } } } } } } }
  /boxes/{boxId}:
    parameters: [{ name: boxId, in: path, required: true, schema: { type: integer, minimum: 1 } }]
    get: { operationId: getBox, responses: { "200": { description: The box., content: { application/json: { schema: *box } } }, "400": &no { description: No. }, "404": *no } }
    delete: { operationId: removeBox, responses: { "204": { description: Gone. }, "400": *no, "404": *no } }
`;

// An identifier of few characters is guessed only to read: another one may name what others have.
test("a run removes only what it made, also with identifiers that follow each other", async () => {
  const ids = new Set(Array.from({ length: 99 }, (_, index) => index + 1).filter((id) => id < 8 || id > 24));
  const others = new Set(ids);
  const removed: number[] = [];
  const url = await api(({ method, path }) => {
    if (method === "POST" && path === "/boxes") {
      let id = 8;
      while (ids.has(id)) id += 1;
      ids.add(id);
      return { status: 201, json: { id } };
    }
    const [, text = ""] = /^\/boxes\/([^/]+)$/.exec(path) ?? [];
    const id = Number(text);
    if (text !== "" && !(/^\d+$/.test(text) && id > 0)) return 400;
    if (!ids.has(id)) return 404;
    if (method !== "DELETE") return { status: 200, json: { id } };
    ids.delete(id);
    removed.push(id);
    return 204;
  });
  const { certificate, of } = await certifyDocument(BOXES, url, ["--depth", "standard"], FREE);
  expect(certificate.summary.failed).toBe(0);
  expect(of("boxes.removeBox.unknown-boxId")?.verdict).toBe("passed");
  expect(removed.length).toBeGreaterThan(0);
  expect(removed.filter((id) => others.has(id))).toEqual([]);
});

/** A document that limits a position in a path, such as a line of an order, does not say whether something is there. */
const LINES = reading("lines", "getLine", "no", "{ type: integer, minimum: 1, maximum: 50 }");

test("a server without a line at a valid position is not blamed", async () => {
  const id = "lines.getLine.success";
  const { of } = await certifyDocument(LINES, await api(() => 404), ["--requirement", id]);
  expect(of(id)).toMatchObject({ verdict: "not-tried", reason: expect.stringContaining("refused with 404") });
});

test("a server with few lines is not blamed for the largest number of a line", async () => {
  const url = await api(({ path }) => {
    const [, no = "0"] = /^\/lines\/(\d+)$/.exec(path) ?? [];
    return Number(no) >= 1 && Number(no) < 50 ? { status: 200, json: {} } : 404;
  });
  const { certificate } = await certifyDocument(LINES, url, ["--depth", "standard"]);
  expect(certificate.summary.failed).toBe(0);
});
