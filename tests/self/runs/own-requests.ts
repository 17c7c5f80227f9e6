/**
 * The requests that each trial sends on its own, in a form in which two runs can be compared.
 *
 * Two runs with one seed send the same requests when each trial sends the same multiset of them: operation, method,
 * path, query, headers and body, whatever other trials ran before it and in which session. Not compared is what the
 * target or the moment decides: ids and tokens that the target gave, times (a session may have moved the clock), the
 * address that the receiver listens at, ciphertext, how many pages a list has, and what sessions arrange once for all
 * their trials.
 */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

export interface Witness {
  /** The trial, whose requests are noted from now on. */
  watch(trial: Trial): Trial;
  /** Sees all exchanges of the session. */
  see(exchange: Exchange): void;
  /** By trial, sorted. */
  readonly requests: ReadonlyMap<string, readonly string[]>;
}

/** For one session. */
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

/** What the target gave, as opposed to what it only repeated. */
interface Given {
  /** Values of the configuration, which every run has alike, whether it hears them too or not. */
  configured(values: readonly string[]): void;
  say(values: readonly string[]): void;
  hear(values: readonly string[]): void;
  /** Hears what is surely no word of ours. */
  arranged(values: readonly string[]): void;
  /** What stands for a value that was given, or for one that was made from such a one by an edit. */
  nameOf(value: string): string | undefined;
  /** The same where an id stands, however short it is. */
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

/** A short word or number, or a date, that happens to stand in an answer is none. */
const isIdentifier = (value: string): boolean =>
  value.length >= 7 && /\d/.test(value) && !/[\s/]|^\d{4}-\d\d-\d\d/.test(value);

const START = 8;

/** By which an id is known after an edit. */
const startOf = (value: string): string =>
  value
    .replaceAll(/[^0-9A-Za-z]/g, "")
    .slice(0, START)
    .toLowerCase();

const firstSegment = ({ path }: Operation): string => `/${path.split("/")[1] ?? ""}`;

/** Where the path names what the target gave, or something like it. */
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

/** Of a few years or decades ago to some years from now. */
const TIME = /^[4-9]\d{8}$|^[12]\d{9}(\d{3})?$/;
const INSTANT = /\b\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?\b|\b(1[5-9]|2[01])\d{8}(\d{3})?\b/g;
/** An id with every character exchanged, so that it surely names nothing. */
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
