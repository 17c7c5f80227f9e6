/** Forms that ask for a token, by a user or by a client, state the credentials that the user of the suite gave. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { certify } from "../support/command.ts";
import { closeAll, web } from "../support/loopback.ts";

test.afterEach(closeAll);

const DOCUMENT = `
openapi: 3.1.0
info: { title: Forms, version: 1.0.0 }
paths:
  /sign-in:
    post:
      operationId: signIn
      requestBody: { required: true, content: { application/x-www-form-urlencoded: { schema: { $ref: "#/components/schemas/User" } } } }
      responses: &answers
        "200": { description: A token., content: { application/json: { schema: { type: object, required: [access_token], properties: { access_token: { type: string } } } } } }
        "400": { description: Refused. }
        "401": { description: Unknown. }
  /oauth/token:
    post:
      operationId: issueToken
      requestBody: { required: true, content: { application/x-www-form-urlencoded: { schema: { $ref: "#/components/schemas/Grant" } } } }
      responses: *answers
  /me:
    get:
      operationId: getMe
      security: [{ person: [] }]
      responses: &me
        "200": { description: Me., content: { application/json: { schema: { type: object } } } }
        "401": { description: Unknown. }
  /machine: { get: { operationId: getMachine, security: [{ machine: [] }], responses: *me } }
components:
  securitySchemes:
    person: { type: oauth2, flows: { password: { tokenUrl: sign-in, scopes: {} } } }
    machine: { type: oauth2, flows: { clientCredentials: { tokenUrl: oauth/token, scopes: { read: Read. } } } }
  schemas:
    User: { type: object, required: [username, password], properties: { username: { type: string }, password: { type: string } } }
    Grant: { type: object, required: [grant_type], properties: { grant_type: { type: string, const: client_credentials }, client_id: { type: string }, client_secret: { type: string }, scope: { type: string } } }
`;

const TOKEN = "token-of-nobody-1";

/** Returns the status of a request for a token. */
const statusOf = (path: string, form: URLSearchParams): number => {
  const is = (name: string, value: string): boolean => form.get(name) === value;
  if (path === "/sign-in") return is("username", "ann") && is("password", "of ann") ? 200 : 401;
  if (!is("grant_type", "client_credentials")) return 400;
  if (![null, "read"].includes(form.get("scope"))) return 400;
  return is("client_id", "machine-1") && is("client_secret", "of machine") ? 200 : 401;
};

for (const [from, operations, keys] of [
  ["signIn", "signIn,getMe", ["username=ann", "password=of ann"]],
  ["machine", "issueToken,getMachine", ["client_id=machine-1", "client_secret=of machine"]],
] as const) {
  test(`the form of ${from} states what --key gives`, async () => {
    const document = test.info().outputPath("forms.yaml");
    await writeFile(document, DOCUMENT);
    const url = await web(async (request, response) => {
      let sent = "";
      for await (const chunk of request) sent += chunk;
      const { url: path = "", headers } = request;
      const isMine = headers.authorization === `Bearer ${TOKEN}`;
      const isRead = ["/me", "/machine"].includes(path);
      const isToken = ["/sign-in", "/oauth/token"].includes(path);
      const status = isToken ? statusOf(path, new URLSearchParams(sent)) : !isRead ? 404 : isMine ? 200 : 401;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(isToken && status === 200 ? { access_token: TOKEN } : {}));
    });
    const given = keys.flatMap((key) => ["--key", key]);
    const args = ["--document", document, "--url", url, "--token-from", from, ...given];
    const { code, certificate, stdout } = await certify([...args, "--operation", operations]);
    expect(certificate.requirements.filter(({ verdict }) => verdict === "failed")).toEqual([]);
    expect(code, stdout).toBe(0);
    const verdicts = new Map(certificate.requirements.map(({ id, verdict }) => [id, verdict]));
    for (const operation of operations.split(","))
      expect(verdicts.get(`forms.${operation}.success`), operation).toBe("passed");
    if (from === "machine") expect(verdicts.get("forms.issueToken.request.grant_type.const")).toBe("passed");
  });
}
