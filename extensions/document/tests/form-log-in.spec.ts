/** Forms that ask for a token, by a user or by a client, state the credentials that the user of the suite gave. */
import { expect, test } from "@playwright/test";
import { api, closeAll } from "../../../tests/self/support/loopback.ts";
import { certifyDocument } from "./support/certified-document.ts";

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
    const url = await api(({ path, headers, text }) => {
      if (["/me", "/machine"].includes(path))
        return headers.authorization === `Bearer ${TOKEN}` ? { status: 200, json: {} } : 401;
      if (!["/sign-in", "/oauth/token"].includes(path)) return 404;
      const status = statusOf(path, new URLSearchParams(text));
      return { status, json: status === 200 ? { access_token: TOKEN } : {} };
    });
    const given = keys.flatMap((key) => ["--key", key]);
    const args = [`--token-from=${from}`, ...given, "--operation", operations];
    const { code, stdout, deviating, of } = await certifyDocument(DOCUMENT, url, args);
    expect([code, deviating], stdout).toEqual([0, []]);
    for (const operation of operations.split(","))
      expect(of(`forms.${operation}.success`)?.verdict, operation).toBe("passed");
    if (from === "machine") expect(of("forms.issueToken.request.grant_type.const")?.verdict).toBe("passed");
  });
}
