/** Mutations of operations, their paths, servers and credentials. */
import { operation } from "../small-documents.ts";
import { BOTH, completed, type Json, type WireLine, type WireMutation, wireMutations } from "./mutation.ts";

const text = { type: "string" };
const integer = { type: "integer" };
const ok = { responses: { "200": { description: "ok" } } };

const called = (path: string, more: Json = {}): Json => ({
  paths: { [path]: { get: { operationId: "read", ...ok, ...more } } },
});
const inPath = (name: string, schema: unknown): Json =>
  called(`/things/{${name}}`, { parameters: [{ name, in: "path", required: true, schema }] });
const served = (region: string): Json => ({
  ...operation({}),
  servers: [
    { url: "https://{region}.example.com", variables: { region: { enum: ["eu", "us"], default: region } } },
  ],
});
const versioned = (version: string): Json => ({ ...operation({}), info: { title: "Small", version } });
const secured = (security: readonly Json[], scheme: Json = {}, name = "key"): Json => ({
  ...operation({ security }),
  components: {
    securitySchemes: {
      [name]: { type: "apiKey", in: "header", name: "X-Key", ...scheme },
      token: { type: "http", scheme: "bearer" },
    },
  },
});

const KEY = [{ key: [] }];
const endingOn = (day: string): Json => called("/a", { deprecated: true, "x-sunset": day });

const login = (flows: Json, ...scopes: readonly string[]): Json => ({
  ...operation({ security: [{ login: scopes }] }),
  components: { securitySchemes: { login: { type: "oauth2", flows } } },
});
const flows = { clientCredentials: { tokenUrl: "https://example.com/a", scopes: { read: "", write: "" } } };
const spare = (name: string): Json => ({ ...operation({}), components: { schemas: { [name]: text } } });

const openIdConnect = { type: "openIdConnect", openIdConnectUrl: "https://example.com/b" };
const openId = secured([{ login: [] }], openIdConnect, "login");
const bearer = secured([{ token: [] }], openIdConnect, "login");
const inDialect = (jsonSchemaDialect: string): Json => ({ ...operation({}), jsonSchemaDialect });
const deprecated = called("/a", { deprecated: true });
const now = called("/things/now");

const OPERATIONS: readonly WireLine[] = [
  ["an operation is removed", "operation", "BC", called("/a"), { paths: {} }],
  ["a deprecated operation is removed", "operation", "BC", deprecated, { paths: {} }],
  ["an operation is removed after its sunset", "operation", "CC", endingOn("2020-01-31"), { paths: {} }],
  ["an operation is removed before its sunset", "operation", "BC", endingOn("2999-01-31"), { paths: {} }],
  ["a deprecated operation gets a day of its end", "sunset", "CU", deprecated, endingOn("2999-12-31")],
  ...completed(endingOn)([
    ["the end of an operation is earlier", "sunset sunset.earlier", "UC", "2999-12-31", "2999-01-31"],
  ]),
  ...completed((level: string) => called("/a", { "x-stability-level": level }))([
    ["an operation gets another stability level", "stability", "CC", "beta", "stable"],
  ]),
  ...completed((more: Json) => called("/a", more))([
    ["an operation gets other tags", "tags", "CC", { tags: ["a"] }, { tags: ["b"] }],
    ["an operation is deprecated", "operation.deprecated", "CC", {}, { deprecated: true }],
    ["an operation gets another name", "operationId", "CC", {}, { operationId: "get" }],
    ["an operation states another limit", "limit", "UU", { "x-rate-limit": 9 }, { "x-rate-limit": 2 }],
  ]),
  ["the default of a server's variable changes", "server.variables", "UU", served("eu"), served("us")],
  ["a version goes down", "version", "C-", versioned("1.10.0"), versioned("1.9.0")],
  ["a scheme of credentials becomes one of another kind", "securityScheme", "UU", login(flows), openId],
  ["a segment of a path becomes a parameter", "path", "CB", now, inPath("id", text)],
  ["a segment of a path becomes a parameter of another type", "path", "BB", now, inPath("id", integer)],
  ["an operation moves", "path", "BB", called("/a"), called("/b")],
  ["a path parameter gets another name", "none", "--", inPath("a", text), inPath("b", text)],
  ["a path parameter is narrower", "type", "BC", inPath("a", text), inPath("a", integer)],
  ...completed((url: string) => called("/a", { servers: [{ url }] }))([
    ["a server changes", "server", "BB", "https://a.example.com", "https://b.example.com"],
  ]),
  ...completed(secured)([
    ["credentials are required", "credentials", "BC", [], KEY],
    ["an alternative of credentials is removed", "credentials", "BC", [...KEY, { token: [] }], KEY],
  ]),
  ["a key moves", "credentials", "BB", secured(KEY), secured(KEY, { in: "query", name: "key" })],
  ["credentials come from another address", "securityScheme", "UU", login(flows), login({})],
  ["credentials come from another scheme of the same form", "securityScheme", "UU", openId, bearer],
  ["a scheme gets another name", "none", "--", secured(KEY), secured([{ code: [] }], {}, "code")],
  ["schemas are in another dialect", "dialect", "UU", inDialect("https://example.com/a"), operation({})],
  ["another scope is required", "credentials", "BC", login(flows, "read"), login(flows, "read", "write")],
  ["an unused component", "component", "CC", spare("Spare"), spare("Other")],
];

export const OPERATION_MUTATIONS: readonly WireMutation[] = OPERATIONS.map(wireMutations(BOTH));
