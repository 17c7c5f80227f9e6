/** Right and wrong servers of `trips.yaml`: where the addresses of created resources lead. */
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { isInSample, LONG } from "../../../tests/self/support/lanes.ts";
import { api, closeAll } from "../../../tests/self/support/loopback.ts";
import { certifyDocument } from "./support/certified-document.ts";

const DOCUMENT = fileURLToPath(new URL("./documents/trips.yaml", import.meta.url));

test.afterEach(closeAll);

/** Returns the address of a new trip. The addresses of stops are right. */
type Addressed = (at: { readonly base: string; readonly path: string; readonly id: string }) => string;

/** @param isLater whether the server answers before it plans a trip */
const server = async (addressed: Addressed, isLater = false): Promise<string> => {
  const known = new Map<string, { readonly town: string; readonly id?: string }>();
  const base: string = await api(({ method, path: whole, fields: { town } }) => {
    const path = whole.replace(/^\/api\/v2/, "");
    const [, parent = ""] = /^(\/trips\/[^/]+)\/stops/.exec(path) ?? [];
    const found = parent === "" || known.has(parent) ? known.get(path) : undefined;
    if (method === "GET") return found === undefined ? 404 : { status: 200, json: found };
    if (parent !== "" && !known.has(parent)) return 404;
    if (typeof town !== "string" || [...town].length < 1 || [...town].length > 30) return 400;
    const id = String(7 * known.size + 11);
    const made = parent === "" ? { town, id } : { town };
    known.set(`${path}/${id}`, made);
    const at = { base: `${base}/api/v2`, path, id };
    if (parent !== "") return { status: 201, headers: { location: `${at.base}${path}/${id}` } };
    const headers = { location: addressed(at) };
    if (isLater) return { status: 202, json: { id: `j-${id}`, state: "waiting" }, headers };
    return { status: 201, json: made, headers };
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
    const told = await certifyDocument(DOCUMENT, await server(addressed, isLater));
    expect(told.of("trips.planTrip.location-leads")).toMatchObject({ level: "assumed", verdict });
    if (verdict !== "advisory") expect(told.deviating).toEqual([]);
    expect(told.certificate.summary.failed).toBe(0);
  });
}
