/**
 * Normalizes the requests of each trial, so that two runs can be compared.
 *
 * Two runs with one seed are equal when each trial sends the same multiset of requests: operation, method, path, query,
 * headers and body. The earlier trials and the session must not matter. Some values depend on the target or the time
 * and are not compared: ids and tokens from the target, times (a session may have moved the clock), the receiver's
 * address, ciphertext, the number of pages of a list, and the resources that a session arranges once for all its
 * trials.
 */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

export interface Witness {
  /** Wraps a trial so that its requests are recorded. */
  watch(trial: Trial): Trial;
  /** Receives every exchange of the session. */
  see(exchange: Exchange): void;
  /** The normalized requests by trial, sorted. */
  readonly requests: ReadonlyMap<string, readonly string[]>;
}

/** Creates the recorder for one session. */
export const createWitness = (contract: Contract): Witness => {
  const given = createGiven();
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const requests = new Map<string, string[]>();
  const watched = (trial: Trial, context: TrialContext): TrialContext => ({
    ...context,
    capabilities: {
      ...context.capabilities,
      async arrange(situation, parameters) {
        const values = await context.capabilities.arrange(situation, parameters);
        for (const value of Object.values(values))
          given.arranged([value, value.split(",").map(Number).join(",")]);
        return values;
      },
    },
    async send(call) {
      const exchange = await context.send(call);
      const operation = operations.get(exchange.operationId);
      if (call.shared === true || operation === undefined) return exchange;
      const own = requests.get(trial.id) ?? [];
      const request = comparable(exchange, operation, given);
      if (!(request.includes("‹page›") && own.includes(request)))
        requests.set(trial.id, [...own, request].sort());
      return exchange;
    },
  });
  return {
    requests,
    watch: (trial) => ({
      ...trial,
      run: (context) => {
        given.configured(Object.values(context.target.values));
        return trial.run(watched(trial, context));
      },
    }),
    see({ request, requestJson, response }) {
      given.say([
        ...leavesOf(requestJson),
        ...Object.values(request.headers),
        ...new URL(request.url).searchParams.values(),
      ]);
      given.hear([...leavesOf(response?.json)]);
    },
  };
};

const comparable = (
  { operationId, request, requestJson }: Exchange,
  operation: Operation,
  given: Given,
): string => {
  const name = (value: string): string => given.nameOf(value) ?? neutral(value);
  const text = (value: string): string => (TIME.test(value) ? "‹given›" : name(value));
  const url = new URL(request.url);
  const path = url.pathname.slice(url.pathname.indexOf(firstSegment(operation)));
  const ids = idsIn(operation, path);
  const segments = path.split("/").map((segment, index) => {
    const value = decodeURIComponent(segment);
    return ids.has(index) && /^[\w-]+$/.test(value) ? given.idOf(value) : name(value);
  });
  const pages = [operation.paging?.start, operation.paging?.limit];
  const query = [...url.searchParams].map(
    ([name, value]) => `${name}=${pages.includes(name) ? "‹page›" : text(value)}`,
  );
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${text(value)}`);
  const body = requestJson === undefined ? (request.body ?? "") : JSON.stringify(mapped(requestJson, text));
  return [
    `${operationId} ${request.method} ${segments.join("/")}`,
    query,
    headers.sort(),
    neutral(body),
  ].join(" | ");
};

/** Distinguishes values that the target generated from values that it only repeated. */
interface Given {
  /** Adds values of the configuration, which are the same in every run. */
  configured(values: readonly string[]): void;
  say(values: readonly string[]): void;
  hear(values: readonly string[]): void;
  /** Adds values that the run certainly did not choose. */
  arranged(values: readonly string[]): void;
  /** Returns the placeholder of a generated value or of an edited one; undefined for any other value. */
  nameOf(value: string): string | undefined;
  /** Returns the placeholder of an id in a path, even if it is short. */
  idOf(value: string): string;
}

const createGiven = (): Given => {
  const said = new Set<string>();
  const own = new Set<string>();
  const given = new Set<string>();
  const heard = new Set<string>();
  const starts = new Set<string>();
  const isEdited = (value: string): boolean =>
    !/^\d+$/.test(value) &&
    isIdentifier(value.trim()) &&
    [value, value.slice(1)].some((text) => starts.has(startOf(text)));
  const arranged = (values: readonly string[]): void => {
    for (const value of values) {
      given.add(value);
      if (isIdentifier(value)) starts.add(startOf(value));
    }
  };
  return {
    say(values) {
      for (const value of values) if (!given.has(value) && !isEdited(value)) said.add(value);
    },
    hear(values) {
      for (const value of values) heard.add(value);
      arranged(values.filter((value) => isIdentifier(value) && !said.has(value)));
    },
    arranged,
    configured(values) {
      for (const value of values) own.add(value);
    },
    idOf(value) {
      if (own.has(value)) return value;
      return given.has(value) || heard.has(value) ? "‹given›" : "‹another id›";
    },
    nameOf(value) {
      if (own.has(value)) return undefined;
      if (given.has(value)) return "‹given›";
      return isEdited(value) && !said.has(value) ? "‹given, edited›" : undefined;
    },
  };
};

/** Whether a value looks like an identifier: not a short word or number, and not a date. */
const isIdentifier = (value: string): boolean =>
  value.length >= 7 && /\d/.test(value) && !/[\s/]|^\d{4}-\d\d-\d\d/.test(value);

const START = 8;

/** Returns the start of an id, which identifies it even after an edit. */
const startOf = (value: string): string =>
  value
    .replaceAll(/[^0-9A-Za-z]/g, "")
    .slice(0, START)
    .toLowerCase();

const firstSegment = ({ path }: Operation): string => `/${path.split("/")[1] ?? ""}`;

/** Returns the positions of the path segments that hold a resource's id. */
const idsIn = ({ path, parameters }: Operation, actual: string): ReadonlySet<number> => {
  const resources = new Set(
    parameters
      .filter(({ resource, in: place }) => resource !== undefined && place === "path")
      .map(({ name }) => name),
  );
  const template = path.split("/");
  if (template.length !== actual.split("/").length) return new Set();
  return new Set(
    template.flatMap((segment, index) => (resources.has(segment.replace(/^\{|\}$/g, "")) ? [index] : [])),
  );
};

/** Unix times from some decades ago to some years from now. */
const TIME = /^[4-9]\d{8}$|^[12]\d{9}(\d{3})?$/;
const INSTANT = /\b\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?\b|\b(1[5-9]|2[01])\d{8}(\d{3})?\b/g;
/** An id whose every character was exchanged, so that no resource has it. */
const FLIPPED = /\b[01]{8}(-[01]{4}){3}-[01]{12}\b/g;
const RECEIVER = /\bhttps?:\/\/127\.0\.0\.1:\d+/g;
const CIPHERTEXT = /\b[\w-]{10,}(\.[\w-]+){4}/g;

const neutral = (text: string): string =>
  text
    .replace(FLIPPED, "‹another id›")
    .replace(CIPHERTEXT, "‹ciphertext›")
    .replace(RECEIVER, "‹receiver›")
    .replace(INSTANT, "‹given›");

const mapped = (json: unknown, text: (value: string) => string): unknown => {
  if (typeof json === "string" || typeof json === "number") return text(String(json));
  if (Array.isArray(json) && json.every((item) => typeof item === "number")) return text(json.join(","));
  if (Array.isArray(json)) return json.map((item) => mapped(item, text));
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, mapped(value, text)]));
};

function* leavesOf(json: unknown): Generator<string> {
  if (typeof json === "string" || typeof json === "number") yield String(json);
  else if (typeof json === "object" && json !== null)
    for (const value of Object.values(json)) yield* leavesOf(value);
}
