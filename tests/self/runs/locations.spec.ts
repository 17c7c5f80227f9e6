/** Right and wrong servers of `trips.yaml`: where the addresses of created resources lead. */
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { certify } from "../support/command.ts";
import { isInSample, LONG } from "../support/lanes.ts";
import { closeAll, web } from "../support/loopback.ts";

const DOCUMENT = fileURLToPath(new URL("./any-service/trips.yaml", import.meta.url));

test.afterEach(closeAll);

const townIn = (text: string): string | undefined => {
  try {
    const { town } = (JSON.parse(text) ?? {}) as { readonly town?: unknown };
    return typeof town === "string" && [...town].length >= 1 && [...town].length <= 30 ? town : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the address of a new trip. The addresses of stops are right. */
type Addressed = (at: { readonly base: string; readonly path: string; readonly id: string }) => string;

/** @param isLater whether the server answers before it plans a trip */
const server = async (addressed: Addressed, isLater = false): Promise<string> => {
  const known = new Map<string, { readonly town: string; readonly id?: string }>();
  const base: string = await web(async (request, response) => {
    const town = townIn(Buffer.concat(await request.toArray()).toString());
    const path = decodeURIComponent((request.url ?? "").replace(/^\/api\/v2/, "").replace(/\?.*$/, ""));
    const [, parent = ""] = /^(\/trips\/[^/]+)\/stops/.exec(path) ?? [];
    const found = parent === "" || known.has(parent) ? known.get(path) : undefined;
    const send = (status: number, json?: unknown, headers = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(json === undefined ? "" : JSON.stringify(json));
    };
    if (request.method === "GET") return found === undefined ? send(404) : send(200, found);
    if (parent !== "" && !known.has(parent)) return send(404);
    if (town === undefined) return send(400);
    const id = String(7 * known.size + 11);
    const made = parent === "" ? { town, id } : { town };
    known.set(`${path}/${id}`, made);
    const whole = `${base}/api/v2${path}/${id}`;
    const location = parent === "" ? addressed({ base: `${base}/api/v2`, path, id }) : whole;
    if (isLater && parent === "") return send(202, { id: `j-${id}`, state: "waiting" }, { location });
    send(201, parent === "" ? made : undefined, { location });
  });
  return `${base}/api/v2`;
};

const ROWS: readonly (readonly [what: string, addressed: Addressed, verdict: string, isLater?: boolean])[] = [
  ["have the whole address", ({ base, path, id }) => `${base}${path}/${id}`, "passed"],
  ["have only the path", ({ path, id }) => `/api/v2${path}/${id}`, "passed"],
  ["are relative to the request", ({ path, id }) => `${path.split("/").at(-1)}/${id}`, "passed"],
  ["have a query", ({ path, id }) => `/api/v2${path}/${id}?view=full`, "passed"],
  ["lead to another server", ({ path, id }) => `https://trips.example.com/api/v2${path}/${id}`, "not-tried"],
  ["lead to no operation", ({ id }) => `/api/v2/status/${id}`, "not-tried"],
  ["lead to the state of a job", ({ id }) => `/api/v2/jobs/j-${id}`, "not-tried", true],
  ["are known before the trip", ({ base, path, id }) => `${base}${path}/${id}`, "not-tried", true],
  ["lead to nothing", ({ path }) => `/api/v2${path}/0`, "advisory"],
  ["lead to the first one", ({ path }) => `/api/v2${path}/11`, "advisory"],
];

for (const [index, [what, addressed, verdict, isLater]] of ROWS.entries()) {
  test(`addresses of new trips that ${what}: ${verdict}`, isInSample(index, 4) ? {} : LONG, async () => {
    const id = "trips.planTrip.location-leads";
    const args = ["--document", DOCUMENT, "--url", await server(addressed, isLater)];
    const { certificate } = await certify(args, { MAX_REQUESTS_PER_SECOND: "1000" });
    const deviating = certificate.requirements.filter((one) => ["failed", "advisory"].includes(one.verdict));
    expect(certificate.requirements.find((one) => one.id === id)).toMatchObject({
      level: "assumed",
      verdict,
    });
    if (verdict !== "advisory") expect(deviating).toEqual([]);
    expect(certificate.summary.failed).toBe(0);
  });
}
