/** A server of `tool-library.yaml` that knows nothing of the product. Its tokens are valid for three calls. */
import { type Answer, type Asked, api } from "../../../../tests/self/support/loopback.ts";

/** What its user has, by variable of the environment. */
export const KEYS = {
  TOOL_KEY: "key-123456",
  ANN: "ann",
  PASSWORD: "pass-of-ann",
  CLIENT: "client-1",
  SECRET: "secret-of-client",
} as const;

const found = (json: unknown): Answer =>
  json === undefined ? { status: 404, json: { message: "unknown" } } : { status: 200, json };
const refused = (status: number): Answer => ({ status, json: { message: "refused" } });

const REPOSITORIES = [
  { owner: "ann", repo: "saw" },
  { owner: "bob", repo: "axe" },
];

/** Starts the server. `requests` are method, path and status of each; `secrets` what no result may show. */
export const toolLibrary = async () => {
  const requests: string[] = [];
  const secrets: string[] = [KEYS.PASSWORD, KEYS.SECRET, KEYS.TOOL_KEY];
  const tools = new Map([["hammer", { id: "hammer", name: "Hammer" }]]);
  let made = 0;
  let token = { value: "", uses: 0 };
  const issue = (kind: string): string => {
    token = { value: `${kind}-${requests.length}-of-nobody`, uses: 0 };
    secrets.push(token.value);
    return token.value;
  };
  const withToken = (authorization: string | undefined, json: unknown): Answer => {
    if (authorization !== `Bearer ${token.value}` || token.uses === 3) return refused(401);
    token.uses += 1;
    return { status: 200, json };
  };
  const answer = ({ method, path, text, headers, fields }: Asked): Answer => {
    const { authorization } = headers;
    const at = `${method} ${path}`;
    if (at === "POST /oauth/token") {
      const basic = Buffer.from((authorization ?? "").slice("Basic ".length), "base64").toString();
      const isKnown =
        basic === `${KEYS.CLIENT}:${KEYS.SECRET}` && text.startsWith("grant_type=client_credentials");
      return isKnown ? { status: 200, json: { access_token: issue("machine") } } : refused(401);
    }
    if (at === "POST /log-in") {
      const { user, password } = fields;
      if (typeof user !== "string" || user.length > 30 || typeof password !== "string") return refused(400);
      return user === KEYS.ANN && password === KEYS.PASSWORD
        ? { status: 200, json: { token: issue("session") } }
        : refused(401);
    }
    if (at === "GET /me") return withToken(authorization, { user: "ann" });
    if (at === "GET /statistics") return withToken(authorization, { tools: tools.size });
    if (headers["x-key"] !== KEYS.TOOL_KEY) return refused(401);
    const [, collection, first = "", second = ""] = path.split("/");
    if (at === "GET /tools") return { status: 200, json: { items: [...tools.values()] } };
    if (at === "POST /tools") return addTool(fields);
    if (method === "GET" && collection === "tools") return found(tools.get(first));
    if (method === "DELETE" && collection === "tools")
      return tools.delete(first) ? { status: 204 } : found(undefined);
    if (at === "GET /makers") return { status: 200, json: REPOSITORIES };
    if (method === "GET" && collection === "repos")
      return found(REPOSITORIES.find(({ owner, repo }) => owner === first && repo === second));
    if (at === "GET /loans") return { status: 200, json: [{ id: "loan-1" }] };
    if (at === "POST /loans/loan-1/return") return { status: 204 };
    return found(at === "GET /shelves/s1" ? { id: "s1" } : undefined);
  };
  const addTool = ({ name }: Asked["fields"]): Answer => {
    if (typeof name !== "string" || name === "" || [...name].length > 20) return refused(400);
    made += 1;
    const id = `made-${made}-${name.length}x${made * 7919}`;
    tools.set(id, { id, name });
    return { status: 201, headers: { location: `/tools/${id}` } };
  };
  const url = await api((asked) => {
    const answered = answer(asked);
    requests.push(`${asked.method} ${asked.path} ${answered.status}`);
    return answered;
  });
  return { url, requests, secrets };
};
