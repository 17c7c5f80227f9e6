/** A server that refuses nothing passes no rule of requests, although only a few invalid requests are sent to it. */
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

test.afterEach(closeAll);

for (const type of ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"])
  test(`a server that accepts every ${type} passes no rule of requests`, async () => {
    const document = `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: postNote
      requestBody: { required: true, content: { ${type}: { schema: ${NOTE} } } }
      responses: { "204": { description: Kept. }, "400": { description: Wrong. } }
`;
    const url = await api(({ path }) => (path === "/notes" ? 204 : 404));
    const { code, certificate } = await certifyDocument(document, url);
    const ofRequests = certificate.requirements.filter(({ id }) => id.startsWith("notes.postNote.request."));
    expect(ofRequests.filter(({ verdict }) => verdict === "passed").map(({ id }) => id)).toEqual([]);
    expect(ofRequests.filter(({ verdict }) => verdict === "failed").length).toBeGreaterThan(0);
    expect(code).toBe(1);
  });
