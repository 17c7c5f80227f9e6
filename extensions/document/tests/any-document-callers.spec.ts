/** `judge --document`: the callers of any API, by the bodies of their requests. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { run } from "../../../tests/self/support/command.ts";

const NOTES = `
openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: postNote
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [size]
              properties:
                title: { type: string, maxLength: 5 }
                size: { type: integer, minimum: 1 }
                pages: { type: array, items: { type: integer, maximum: 9 } }
      responses: { "204": { description: Kept. } }
  /cards:
    post:
      operationId: postCard
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [title]
              properties: { title: { type: string } }
              oneOf: [{ required: [paper] }, { required: [link] }]
      responses: { "204": { description: Kept. } }
  /files:
    post:
      operationId: postFile
      requestBody: { required: true, content: { multipart/form-data: { schema: { type: object } } } }
      responses: { "204": { description: Kept. } }
`;

type Requests = readonly (readonly [
  path: string,
  type: string,
  text: string,
  further?: object,
  challenge?: string | undefined,
])[];

/**
 * Returns an archive of requests.
 * @param further headers
 * @param challenge the scheme with which the service refuses the request
 */
const archiveOf = (requests: Requests): string =>
  JSON.stringify({
    log: {
      version: "1.2",
      creator: { name: "test", version: "1" },
      entries: requests.map(([path, mimeType, text, further = {}, challenge]) => ({
        startedDateTime: "2026-03-02T10:00:00.000Z",
        time: 5,
        request: {
          method: "POST",
          url: `http://notes.test${path}`,
          headers: Object.entries({ "content-type": mimeType, ...further }).map(([name, value]) => ({
            name,
            value,
          })),
          postData: { mimeType, text },
        },
        response: {
          status: challenge === undefined ? 204 : 401,
          headers: challenge === undefined ? [] : [{ name: "www-authenticate", value: challenge }],
          content: { size: 0, text: "" },
        },
      })),
    },
  });

const judged = async (document: string, calls: Requests) => {
  const at = (name: string): string => test.info().outputPath(name);
  await writeFile(at("notes.yaml"), document);
  await writeFile(at("calls.har"), archiveOf(calls));
  const args = [at("calls.har"), "--document", at("notes.yaml"), "--target", "notes", "--out", at("out")];
  await run("judge", args, { NOTES_BASE_URL: "http://notes.test" });
  const { requirements = [] } = readCertificate(at("out")) ?? {};
  return { requirements, failed: requirements.filter((one) => one.verdict === "failed").map(({ id }) => id) };
};

const FORM = "application/x-www-form-urlencoded";
const CALLERS: readonly (readonly [form: string, json: string, broken: readonly string[]])[] = [
  ["title=short&size=1&pages=1&pages=9", '{ "title": "a", "link": "b" }', []],
  [
    "title=longer&size=0&pages=1&pages=10",
    '{ "title": "a" }',
    ["postCard.request.body", "postNote.request.title.max-length", "postNote.request.size.minimum"],
  ],
  ["title=short", '{ "link": "b" }', ["postCard.request.title.required", "postNote.request.size.required"]],
];

for (const [form, json, broken] of CALLERS) {
  test(`judge reads bodies of a document's callers: ${form} and ${json}`, async () => {
    const calls = [
      ["/notes", FORM, form],
      ["/cards", "application/json", json],
      ["/files", "multipart/form-data; boundary=x", "--x--"],
    ] as const;
    const { failed, requirements } = await judged(NOTES, calls);
    for (const id of broken) expect(failed).toContain(`notes.${id}`);
    if (broken.length === 0) expect(failed).toEqual([]);
    expect(requirements.find(({ id }) => id === "notes.postFile.request.fields")?.reason).toMatch(
      /multipart/,
    );
  });
}

const LOCKED = NOTES.replace(
  "paths:",
  `security: [{ key: [] }, { token: [] }]
components:
  securitySchemes:
    key: { type: apiKey, in: query, name: code }
    token: { type: http, scheme: bearer }
paths:`,
);
const TOKEN = { authorization: "Bearer of-a-client" };
const JSON_TYPE = "application/json";

const noted = (further: object = {}, challenge?: string, path = "/notes"): Requests[number] => [
  path,
  FORM,
  "size=1",
  further,
  challenge,
];

const OTHER_JSON = ["/cards", "application/vnd.card+json", '{ "title": "a", "link": "b" }', TOKEN] as const;

for (const [what, calls, broken] of [
  ["a key in either place", [noted({}, undefined, "/notes?code=1"), noted(TOKEN)], []],
  ["a call without a key", [noted(TOKEN), noted()], ["credentials"]],
  ["a call that waits for a challenge", [noted({}, 'Basic realm="notes"'), noted(TOKEN)], []],
  ["a call without a token", [noted({}, "Bearer"), noted(TOKEN)], ["credentials"]],
  // Tools leave secrets out of archives.
  ["an archive without keys", [noted()], []],
  ["another type of JSON", [OTHER_JSON], []],
  ["a form as JSON", [["/notes", JSON_TYPE, '{ "size": 1 }', TOKEN]], ["media-types"]],
] as const) {
  test(`a caller of any document is held to what it says about every call: ${what}`, async () => {
    expect((await judged(LOCKED, calls)).failed).toEqual(broken.map((one) => `notes.caller.${one}`));
  });
}
