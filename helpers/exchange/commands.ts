/** Renders requests of a run as commands that work after the run, on the target itself. */
import { shellLine } from "../contract/shell.ts";
import { toCurl } from "./curl.ts";
import type { Exchange, SentRequest } from "./exchange.ts";
import { hasRoundNumber } from "./placeholder.ts";
import type { Redactor } from "./redact.ts";
import { type Before, createRepeatable } from "./repeatable.ts";

/** An address that the requests of a run have in place of the address of the target. */
export interface Address {
  readonly own: string;
  readonly published: string;
  /** The setting with the address, if only a new sandbox has one. */
  readonly setting?: string;
}

/** The most calls that a command makes before its request. */
const MOST_BEFORE = 5;

/** @param addresses the addresses of a copy of the target, which is gone after the run */
export const createCommands = (redactor: Redactor, addresses: readonly Address[]) => {
  const repeatable = createRepeatable(redactor.names);
  const tokens: Before[] = [];
  const rendering = { redactor, addresses, isInvented: repeatable.isInvented };
  let isChanged = false;

  /** @param lines the commands that come first, by the request that each sends */
  const render = (
    exchange: Pick<Exchange, "request"> & Partial<Exchange>,
    lines: Map<SentRequest, string>,
  ): string | undefined => {
    const { request } = exchange;
    const before = repeatable.before(exchange);
    const command = before && commandOf(exchange, before, rendering);
    if (before === undefined || command === undefined || command.includes("‹")) return undefined;
    const used = tokens.filter(({ gives }) => new RegExp(`\\$\\{?${gives?.name}\\b`).test(command));
    for (const { request: first, gives } of [...used, ...before]) {
      if (lines.has(first)) continue;
      const line = first === request ? undefined : render({ request: first }, lines);
      if (line === undefined || lines.size >= MOST_BEFORE || !PLAIN.test(gives?.member ?? "_"))
        return undefined;
      lines.set(
        first,
        gives === undefined
          ? `${line} > /dev/null`
          : `${gives.name}=$(${line} | ${printField(gives.member)})`,
      );
    }
    return command;
  };

  return {
    /** Notes an exchange of the run: what its requests invent is not secret. */
    see: repeatable.see,
    /** Notes an id that the target gave. */
    seeId: (id: string, exchange: Exchange) => repeatable.seeId(id, exchange, !isChanged),
    /** Notes which member of which answer gave the secret that is written as `name`. */
    seeOrigin: (name: string, { request }: Pick<Exchange, "request">, member: string) =>
      void tokens.push({ request, gives: { value: "", name, member } }),
    /** Notes that the target was changed by other means than its API. @param values what is known of the change */
    seeChange(values: readonly string[]) {
      isChanged = addresses.some(({ own, published }) => own !== published);
      repeatable.seeGiven(values, !isChanged);
    },
    /** Returns a command that sends the request again, after the calls that give what it needs; empty if none can. */
    curl(exchange: Exchange): string {
      const lines = new Map<SentRequest, string>();
      const command = render(exchange, lines);
      const all = command === undefined ? "" : [...lines.values(), command].join("; ");
      return all.length > LONGEST ? "" : all;
    },
    /** Returns the exchange with the address of the target itself. */
    published(exchange: Exchange): Exchange {
      const { request } = exchange;
      const { own, published } = addressOf(addresses, request.url) ?? {};
      if (own === undefined || own === published) return exchange;
      return { ...exchange, request: { ...request, url: published + request.url.slice(own.length) } };
    },
  };
};

const addressOf = (addresses: readonly Address[], url: string): Address | undefined =>
  addresses.find(({ own }) => url.startsWith(own));

/** @param before the calls that come first */
const commandOf = (
  { request, response }: Pick<Exchange, "request" | "response">,
  before: readonly Before[],
  {
    redactor,
    isInvented,
    addresses,
  }: {
    readonly redactor: Redactor;
    readonly isInvented: (value: string, name?: string) => boolean;
    readonly addresses: readonly Address[];
  },
): string => {
  const ids = new Map(before.flatMap(({ gives }) => (gives ? [[gives.value, gives.name] as const] : [])));
  const about = redactor.about([{ request, ...(response && { response }) }], isInvented);
  const text = (given: string): string => {
    const redacted = about.text(given);
    if (hasRoundNumber(redacted) && !hasRoundNumber(given)) return "‹number›";
    return redacted.replaceAll(WORD, (word) => (ids.has(word) ? `‹${ids.get(word)}›` : word));
  };
  const { own = "", published = "", setting } = addressOf(addresses, request.url) ?? {};
  const base = setting === undefined ? text(published) : `‹${setting}›`;
  const url = base + text(request.url.slice(own.length));
  const names = [...ids.values(), ...addresses.map((one) => one.setting)];
  return toCurl(
    { request: { ...request, url } },
    {
      text: (given) => (given === url ? url : text(given)),
      header: (name, value) =>
        redactor.names.isHeader(name) && !isInvented(value) ? redactor.header(name, value) : text(value),
      knows: (name) => redactor.knows(name) || names.includes(name),
    },
  );
};

const WORD = /[\w.~-]+/g;

/** A longer command is of no use. */
const LONGEST = 20_000;

/** Returns a command that prints the value of a field in JSON, a text or a number. */
const printField = (field: string): string =>
  shellLine("sed", "-n", `s/.*"${field}" *: *"\\{0,1\\}\\([^",}]*\\).*/\\1/p`);

/** A name that means itself in a pattern of `sed`. */
const PLAIN = /^[\w-]+$/;
