/** Renders requests of a run as commands that work after the run, on the target itself. */
import { shellLine } from "../contract/shell.ts";
import { toCurl } from "./curl.ts";
import { type Exchange, type SentRequest, statusOf } from "./exchange.ts";
import { hasRoundNumber } from "./placeholder.ts";
import type { Redactor } from "./redact.ts";
import { type Before, createRepeatable, NO_IDENTIFIER, type Sent, withIds } from "./repeatable.ts";

/** An address that the requests of a run have in place of the address of the target. */
export interface Address {
  readonly own: string;
  readonly published: string;
  /** The setting with the address, if only a new sandbox has one. */
  readonly setting?: string;
}

/** The seconds after which a target should have acted on a call that it answered with 202. */
const LATE = 5;

/** The most calls that a command makes before its request. */
const MOST_BEFORE = 5;

/**
 * Why no command shows a violation: it needs an identifier that no call gives again, or a secret that is not among the
 * settings; more calls or more text than a command has; or the steps of a sequence, or actions that are not calls.
 */
export type NoCommand =
  | typeof NO_IDENTIFIER
  | "secret"
  | "calls"
  | "length"
  | "steps"
  | "actions"
  | "delivery";

/**
 * @param addresses the addresses of a copy of the target, which is gone after the run
 * @param idsShown returns the identifiers in the answer of an exchange
 */
export const createCommands = (
  redactor: Redactor,
  addresses: readonly Address[],
  idsShown: Rendering["idsShown"] = () => [],
) => {
  const repeatable = createRepeatable(redactor.names, idsShown);
  const tokens: Required<Before>[] = [];
  const { isInvented, originOf } = repeatable;
  const rendering = { redactor, addresses, isInvented, originOf, tokens, idsShown };

  return {
    /** Notes an exchange of the run: what its requests invent is not secret. */
    see: repeatable.see,
    /** Notes an identifier that the target gave. */
    seeId: repeatable.seeId,
    /** Notes which member of which answer gave the secret that is written as `name`. */
    seeOrigin: (name: string, exchange: Sent, member: string) =>
      void tokens.push({ exchange, isLate: false, gives: { name, member, position: 1 } }),
    /** Notes that the target was changed by other means than its API. @param values what is known of the change */
    seeChange: (values: readonly string[]) =>
      repeatable.seeGiven(
        values,
        addresses.every(({ own, published }) => own === published),
      ),
    /**
     * Returns a command that sends the request again, after the calls that give what it needs.
     * @param earlier the calls that come first
     * @param compared the exchanges whose answers show the violation too
     */
    curl(
      exchange: Exchange,
      earlier: readonly Exchange[] = [],
      compared: readonly Exchange[] = [],
    ): { readonly curl: string; readonly noCurl?: NoCommand } {
      const { add, render, whole } = openCommand(rendering);
      for (const one of earlier)
        if (repeatable.isEarlier(one, exchange)) add({ exchange: one, isLate: statusOf(one) === 202 });
      for (const one of compared) add({ exchange: one }, one);
      return whole(render(exchange, exchange));
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

interface Rendering {
  readonly redactor: Redactor;
  readonly addresses: readonly Address[];
  readonly tokens: readonly Required<Before>[];
  readonly isInvented: (value: string, name?: string) => boolean;
  readonly originOf: ReturnType<typeof createRepeatable>["originOf"];
  readonly idsShown: (exchange: Exchange) => ReturnType<Parameters<typeof createRepeatable>[1]>;
}

/** Renders the calls of one command, each of them after the calls that give what it needs. */
const openCommand = (rendering: Rendering) => {
  const { originOf, tokens, idsShown } = rendering;
  const lines = new Map<SentRequest, { readonly line: string; readonly name?: string }>();
  let problem: NoCommand | undefined;
  const add = ({ exchange, gives, isLate = false }: Before, shown?: Exchange): void => {
    const { request } = exchange;
    const known = lines.get(request);
    if (known !== undefined && (gives === undefined || known.name === gives.name)) return;
    if (known?.name !== undefined || !PLAIN.test(gives?.member ?? "_")) problem ??= NO_IDENTIFIER;
    const line = render(exchange, shown);
    if (known === undefined && lines.size >= MOST_BEFORE) problem ??= "calls";
    if (problem === undefined) {
      const given = gives && `${gives.name}=$(${line} | ${printField(gives)})`;
      const whole = given ?? (shown ? line : `${line} > /dev/null`);
      lines.set(request, {
        line: isLate ? `${whole}; sleep ${LATE}` : whole,
        ...(gives && { name: gives.name }),
      });
    }
  };
  const render = (exchange: Sent, shown?: Exchange): string => {
    const { request, ids = [] } = exchange;
    const names = new Map<object, string>();
    for (const id of [...ids, ...(shown ? idsShown(shown) : [])]) {
      // Its calls may need hundreds of others, and no command is written after a problem.
      if (problem !== undefined) return "";
      const origin = originOf(id, exchange);
      if (origin === NO_IDENTIFIER) problem ??= origin;
      else if (origin !== undefined) add(origin);
      if (typeof origin === "object" && origin.gives !== undefined) names.set(id, origin.gives.name);
    }
    const marked = withIds(request, ids, (id) => (names.has(id) ? `‹${names.get(id)}›` : undefined));
    if (marked === undefined) problem ??= NO_IDENTIFIER;
    const command = commandOf(marked ?? request, shown?.response, [...names.values()], rendering);
    const used = tokens.filter(({ gives }) => new RegExp(`\\$\\{?${gives.name}\\b`).test(command));
    for (const token of used)
      if (token.exchange.request === request) problem ??= "secret";
      else add(token);
    if (command.includes("‹")) problem ??= "secret";
    return command;
  };
  return {
    add,
    render,
    /** Returns the whole command. @param last the call that comes last */
    whole(last: string): { readonly curl: string; readonly noCurl?: NoCommand } {
      const curl = [...[...lines.values()].map(({ line }) => line), last].join("; ");
      if (curl.length > LONGEST) problem ??= "length";
      return problem === undefined ? { curl } : { curl: "", noCurl: problem };
    },
  };
};

const addressOf = (addresses: readonly Address[], url: string): Address | undefined =>
  addresses.find(({ own }) => url.startsWith(own));

/** @param ids the names of the variables with identifiers, as placeholders in the request */
const commandOf = (
  request: SentRequest,
  response: Exchange["response"],
  ids: readonly string[],
  { redactor, isInvented, addresses }: Rendering,
): string => {
  const about = redactor.about([{ request, ...(response && { response }) }], isInvented);
  const text = (given: string): string => {
    const redacted = about.text(given);
    if (hasRoundNumber(redacted) && !hasRoundNumber(given)) return "‹number›";
    return redacted;
  };
  const { own = "", published = "", setting } = addressOf(addresses, request.url) ?? {};
  const base = setting === undefined ? text(published) : `‹${setting}›`;
  const url = base + text(request.url.slice(own.length));
  const names = [...ids, ...addresses.map((one) => one.setting)];
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

/** A longer command is of no use. */
const LONGEST = 20_000;

/** Returns a command that prints the value of a field in JSON, a text or a number. */
const printField = ({ member, position }: Required<Before>["gives"]): string => {
  const start = `"${member}" *: *"\\{0,1\\}`;
  return `${shellLine("grep", "-o", `${start}[^",}]*`)} | ${shellLine("sed", "-n", `${position}s/${start}//p`)}`;
};

/** A name that means itself in a pattern of `sed`. */
const PLAIN = /^[\w-]+$/;
