/** A document that limits a position in a path, such as a line of an order, does not say whether something is there. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { certify } from "../support/command.ts";
import { closeAll, web } from "../support/loopback.ts";

test.afterEach(closeAll);

const DOCUMENT = `
openapi: 3.1.0
info: { title: Lines, version: 1.0.0 }
paths:
  /lines/{no}:
    get:
      operationId: getLine
      parameters: [{ name: no, in: path, required: true, schema: { type: integer, minimum: 1, maximum: 50 } }]
      responses:
        "200": { description: The line., content: { application/json: { schema: { type: object } } } }
        "404": { description: Nothing is there. }
`;

test("a server without a line at a valid position is not blamed", async () => {
  const document = test.info().outputPath("lines.yaml");
  await writeFile(document, DOCUMENT);
  const url = await web((_, response) => response.writeHead(404).end());
  const id = "lines.getLine.success";
  const { certificate } = await certify(["--document", document, "--url", url, "--requirement", id]);
  expect(certificate.requirements.find((one) => one.id === id)).toMatchObject({
    verdict: "not-tried",
    reason: expect.stringContaining("refused with 404"),
  });
});

test("a server with few lines is not blamed for the largest number of a line", async () => {
  const document = test.info().outputPath("lines.yaml");
  await writeFile(document, DOCUMENT);
  const url = await web(({ url: path = "" }, response) => {
    const [, no = "0"] = /^\/lines\/(\d+)$/.exec(path) ?? [];
    const isThere = Number(no) >= 1 && Number(no) < 50;
    response.writeHead(isThere ? 200 : 404, { "content-type": "application/json" }).end("{}");
  });
  const { certificate } = await certify(["--document", document, "--url", url, "--depth", "standard"]);
  expect(certificate.requirements.filter(({ verdict }) => verdict === "failed")).toEqual([]);
});
