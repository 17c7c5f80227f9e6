/** `certify --document`: the identifiers with which a run calls the operations of any document. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { certify } from "../support/command.ts";
import { closeAll, web } from "../support/loopback.ts";
import { KEYS, toolLibrary } from "./any-service/tool-library.ts";

const TOOLS = fileURLToPath(new URL("./any-service/tool-library.yaml", import.meta.url));
const TOOL_KEY = ["--header", "X-Key: $TOOL_KEY"];

test.afterEach(closeAll);

const ITEMS = `
openapi: 3.1.0
info: { title: Items, version: 1.0.0 }
paths:
  /items/{itemId}:
    get:
      operationId: getItem
      parameters: [{ name: itemId, in: path, required: true, schema: { type: string } }]
      responses:
        "200": { description: The item., content: { application/json: { schema: { type: object } } } }
        "400": { description: No identifier. }
        "404": { description: Unknown. }
`;

for (const [what, longer, verdict] of [
  ["answers 404 to a longer one", 404, "passed"],
  ["refuses a longer one otherwise", 400, "not-tried"],
  ["accepts a longer one too", 200, "failed"],
] as const) {
  test(`a server that knows every short identifier, and ${what}`, async () => {
    const document = test.info().outputPath("items.yaml");
    await writeFile(document, ITEMS);
    const url = await web((request, response) => {
      const { url: path = "" } = request;
      // With the same answer for a path that the document lacks, the run would not start.
      const status = /^\/items\/\d$/.test(path) ? 200 : path.startsWith("/items/") ? longer : 404;
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
    const id = "items.getItem.unknown-itemId";
    const args = ["--document", document, "--url", url, "--id", "item=5", "--requirement", id];
    const { certificate } = await certify(args);
    expect(certificate.requirements.find((one) => one.id === id)?.verdict).toBe(verdict);
  });
}

test("identifiers are learnt from lists and addresses, and nothing of others is changed", async () => {
  const { url, requests } = await toolLibrary();
  const { code, certificate } = await certify(["--document", TOOLS, "--url", url, ...TOOL_KEY], KEYS);
  expect(code).toBe(0);
  const verdicts = Object.fromEntries(certificate.requirements.map((one) => [one.id, one]));
  for (const id of ["getTool.success", "getTool.unknown-toolId", "getRepo.success", "addTool.distinct-ids"])
    expect(verdicts[`tool-library.${id}`], id).toMatchObject({ verdict: "passed" });
  expect(verdicts["tool-library.getShelf.success"]?.reason).toBe(
    "needs shelf: give --id shelf=VALUE, which the service knows",
  );
  expect(verdicts["tool-library.returnLoan.success"]?.reason).toContain("or set ALLOW_DESTRUCTIVE=true");
  const changes = requests.filter((one) => !/^(GET |POST \/(tools|log-in) )/.test(one));
  expect(changes.filter((one) => !/^DELETE \/tools\/made-/.test(one))).toEqual([]);
  expect(changes).toHaveLength(requests.filter((one) => one === "POST /tools 201").length);
});

const SHELVES = `
openapi: 3.1.0
info: { title: Shelves, version: "1" }
paths:
  /shelves:
    get:
      operationId: listShelves
      responses: { "200": { description: All., content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Shelf" } } } } } }
  /shelves/{shelfId}:
    get:
      operationId: getShelf
      parameters: [{ name: shelfId, in: path, required: true, schema: { type: string } }]
      responses:
        "200": { description: One., content: { application/json: { schema: { $ref: "#/components/schemas/Shelf" } } } }
        "404": { description: There is none. }
components: { schemas: { Shelf: { type: object, required: [id], properties: { id: { type: string } } } } }
`;

for (const [what, verdict] of [
  ["the resource in its path", "passed"],
  ["another resource", "advisory"],
] as const) {
  test(`a read of any document that answers about ${what}: ${verdict}`, async () => {
    const document = test.info().outputPath("shelves.yaml");
    await writeFile(document, SHELVES);
    const shelves = ["oak-17", "elm-4711", "ash-302"].map((id) => ({ id }));
    const url = await web((request, response) => {
      const own = shelves.find(({ id }) => request.url === `/shelves/${id}`);
      const json = request.url === "/shelves" ? shelves : own && (verdict === "passed" ? own : shelves[0]);
      response.writeHead(json === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(json));
    });
    const { certificate } = await certify(["--document", document, "--url", url]);
    const own = certificate.requirements.find(({ id }) => id === "shelves.getShelf.own-resource");
    expect(own).toMatchObject({ level: "assumed", verdict });
  });
}

test("an identifier that the user gives is used before a list", async () => {
  const { url, requests } = await toolLibrary();
  const args = ["--document", TOOLS, "--url", url, ...TOOL_KEY, "--depth", "quick"];
  const { code, certificate } = await certify(
    [...args, "--operation", "getShelf,getTool", "--id", "shelf=s1", "--id", "tool=hammer"],
    KEYS,
  );
  expect(code).toBe(0);
  expect(certificate.summary.failed).toBe(0);
  expect(requests.filter((one) => /\/(tools|makers|loans)( |$)/.test(one))).toEqual([]);
  expect(requests).toContain("GET /tools/hammer 200");
  expect(requests).toContain("GET /shelves/s1 200");
});
