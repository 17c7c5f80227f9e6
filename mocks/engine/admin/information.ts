/** The part of the admin interface that only informs: health, documents, deviations and the log of requests. */
import type { FastifyInstance } from "fastify";
import { DataError } from "../data/data-error.ts";
import { differencesIn, faultsIn, isDifference } from "../deviations/catalogue.ts";
import type { Deviation } from "../deviations/deviation.ts";
import { type Expectation, type RequestFilter, verify } from "../request-log.ts";
import { listDeviations } from "../services.ts";
import { type Fields, isObject } from "../values/fields.ts";
import type { Administered } from "./administered.ts";
import { mockedDocument } from "./mocked-document.ts";
import adminDocument from "./openapi.json" with { type: "json" };
import { lastIn, postsTo, readsOf } from "./replies.ts";

export const informAdmin = (app: FastifyInstance, administered: Administered): void => {
  const { mountedServices, origin } = administered;
  const tenants = administered.tenants.all;
  const contracts = mountedServices.map(({ contract }) => contract);
  const started = performance.now();
  app.get("/__sandbox/health", async () => ({
    status: "ok",
    services: contracts.map(({ service }) => service),
    tenants: tenants.size,
    uptimeSeconds: Math.floor((performance.now() - started) / 1000),
    residentBytes: process.memoryUsage.rss(),
  }));
  app.get("/__sandbox/openapi.json", async () => mockedDocument(contracts, origin()));
  app.get("/__sandbox/openapi/admin.json", async () => ({ ...adminDocument, servers: [{ url: origin() }] }));
  const listed = () => listDeviations(contracts);
  app.get("/__sandbox/deviations", async () => ({ deviations: (await listed()).map(shown) }));
  // The older routes. They show parts of the list.
  app.get("/__sandbox/faults", async () => ({
    faults: faultsIn(await listed()).map(({ id, violates }) => ({ id, requirement: violates })),
  }));
  app.get("/__sandbox/differences", async () => ({
    differences: differencesIn(await listed()).map(({ id, service }) => ({ id, service })),
  }));
  const read = readsOf({ app, tenants });
  read("GET", "requests", ({ requests }, query) => ({
    requests: lastIn(requests.find(filterIn(query)), query),
  }));
  read("GET", "requests/:id", ({ requests }, { id }) => requests.exchange(Number(id)));
  read("DELETE", "requests", ({ requests }) => requests.clear());
  postsTo({ app, tenants })("verify", ({ requests }, { calls, inOrder = false }) => {
    if (!Array.isArray(calls) || !calls.every(isObject) || typeof inOrder !== "boolean") return undefined;
    for (const [index, call] of calls.entries()) checkNames(call, index);
    return verify(requests, calls as Expectation[], inOrder);
  });
};

const shown = (deviation: Deviation): Fields => {
  const { id, service, violates } = deviation;
  return { id, service, requirement: violates, permitted: isDifference(deviation) };
};

const filterIn = ({ service, operation, method, url, status, after }: Fields): RequestFilter => ({
  ...textsIn({ service, operation, method, url }),
  ...(status !== undefined && { status: Number(status) }),
  ...(after !== undefined && { after: Number(after) }),
});

const textsIn = (values: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

const TEXTS = ["service", "operation", "method", "url"];
const NUMBERS = ["status", "after", "times", "atLeast", "atMost"];

/** @throws DataError for an unknown name, so that a misspelled expectation is not met by every request */
const checkNames = (call: Fields, index: number): void => {
  for (const [name, value] of Object.entries(call)) {
    const type = TEXTS.includes(name) ? "string" : NUMBERS.includes(name) ? "number" : undefined;
    if (type === undefined) throw new DataError(["calls", index, name], `"${name}" is unknown here`);
    if (typeof value !== type) throw new DataError(["calls", index, name], `it must be a ${type}`);
  }
};
