/** Servers of a document of JSON whose answers can't be read, and right ones whose answers are unusual. */
import { expect, test } from "@playwright/test";
import { isInSample, LONG } from "../../../tests/self/support/lanes.ts";
import { closeAll, fieldsIn, textOf, web } from "../../../tests/self/support/loopback.ts";
import { certifyDocument, FREE } from "./support/certified-document.ts";

const schema = { type: "object", required: ["level"], properties: { level: { type: "integer" } } };
const response = { description: "The level.", content: { "application/json": { schema } } };
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Tank", version: "1.0.0" },
  paths: {
    "/level": {
      get: { operationId: "readLevel", responses: { 200: response } },
      put: {
        operationId: "setLevel",
        requestBody: { required: true, content: { "application/json": { schema } } },
        responses: { 200: response, 400: { description: "Invalid." } },
      },
    },
  },
};

const RIGHT = '{"level":3}';

/** What a server answers to a read and to a change, and which requirements it violates. */
const ROWS: readonly (readonly [
  what: string,
  read: string,
  change: string,
  type: string,
  violated: readonly string[],
])[] = [
  ["answers with JSON", RIGHT, RIGHT, "application/json; charset=utf-8", []],
  ["starts answers with a byte order mark", `\ufeff ${RIGHT}\n`, RIGHT, "application/json", []],
  ["answers a change without a body", RIGHT, "", "application/json", []],
  ["answers a read without a body", "", RIGHT, "application/json", ["readLevel"]],
  ["cuts its answers", RIGHT.slice(0, -1), RIGHT.slice(0, -1), "application/json", ["readLevel", "setLevel"]],
  ["cuts its answers, and declares no type", RIGHT.slice(0, -1), RIGHT, "", ["readLevel"]],
];

test.afterEach(closeAll);

for (const [index, [what, read, change, type, violated]] of ROWS.entries()) {
  const words = violated.length === 0 ? "is right" : `fails at ${violated.join(" and ")}`;
  test(`a server that ${what} ${words}`, isInSample(index, 3) ? {} : LONG, async () => {
    const url = await web(async (request, response) => {
      const isRead = request.method === "GET";
      const isRight = isRead || Number.isInteger(fieldsIn(await textOf(request)).level);
      const status = request.url !== "/level" ? 404 : isRight ? 200 : 400;
      response.writeHead(status, type !== "" && status === 200 ? { "content-type": type } : {});
      response.end(status !== 200 ? "" : isRead ? read : change);
    });
    const { deviating } = await certifyDocument(DOCUMENT, url, [], FREE);
    expect(deviating).toEqual(
      violated.map((id) => expect.stringMatching(`(failed|advisory) tank.${id}.response.body`)),
    );
  });
}
