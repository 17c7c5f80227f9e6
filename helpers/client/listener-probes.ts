/** The probes of a listener: each tries one requirement, next to a message that the listener accepts. */
import { setTimeout as sleep } from "node:timers/promises";
import { type CheckResult, checkThat, HOLDS, violation } from "../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import { isLoopback } from "../target/loopback.ts";
import { NotTried, TargetLost } from "../trials/stopped.ts";
import type { ListenerKind, Message, ProbeName } from "./listener-kind.ts";
import type { ListenerSender } from "./listener-sender.ts";

export interface ProbeContext {
  readonly kind: ListenerKind;
  readonly url: string;
  readonly sender: ListenerSender;
  /** Returns what the listener holds; absent if the user gave no command for that. */
  readonly effect?: () => Promise<string>;
  /** Returns a number that no probe of this run has used. */
  draw(): number;
}

/**
 * Returns the result with the exchanges that show it, the judged exchange first.
 * @throws NotTried when something is missing, TargetLost when the listener does not respond as the probe needs
 */
type Probe = (
  context: ProbeContext,
) => Promise<{ readonly result: CheckResult; readonly exchanges: readonly Exchange[] }>;

const deliver = (
  { url, sender }: ProbeContext,
  { body }: Message,
  more: Partial<Parameters<ListenerSender["send"]>[0]> = {},
): Promise<Exchange> => sender.send({ url, body: JSON.stringify(body), ...more });

const firstOf = ({ kind, draw }: ProbeContext): Message => kind.messages(draw())[0] as Message;

const answerOf = (exchange: Exchange): string =>
  exchange.failure === undefined ? String(statusOf(exchange)) : exchange.failure.kind;

/** One message, and the result that it shows. */
interface Answered {
  readonly result: CheckResult;
  readonly exchange: Exchange;
}

const accepted = (what: string, exchange: Exchange): Answered => ({
  exchange,
  result: checkThat(isAccepted(exchange), {
    pointer: "",
    message: `${what} was not accepted`,
    expected: "a 2xx status",
    actual: answerOf(exchange),
  }),
});

/** Checks that the listener refused a message with a client error. */
const refused = (what: string, exchange: Exchange): Answered => {
  const status = statusOf(exchange);
  const result = checkThat((status >= 400 && status < 500) || status === 501, {
    pointer: "",
    message: `${what} was not refused with a client error`,
    expected: "a client error",
    actual: answerOf(exchange),
  });
  return { result, exchange };
};

/** Tries a message next to a usual one. Without the acceptance of the usual one, nothing is shown. */
const besideUsual =
  (probe: (context: ProbeContext) => Promise<Answered>): Probe =>
  async (context) => {
    const { result, exchange } = await probe(context);
    const control = await deliver(context, firstOf(context));
    if (isAccepted(control)) return { result, exchanges: [exchange, control] };
    throw new TargetLost(`a usual message was not accepted (${answerOf(control)})`);
  };

/** Tries a message that the listener has to accept. */
const accepts = (what: string, send: (context: ProbeContext) => Promise<Exchange>): Probe =>
  besideUsual(async (context) => accepted(what, await send(context)));

/** Adds a field to each object. */
const withUnknownFields = (body: Message["body"]): Message["body"] => {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed);
    return typeof value === "object" && value !== null ? withUnknownFields(value as Message["body"]) : value;
  };
  const fields = Object.entries(body).map(([name, value]) => [name, changed(value)]);
  return { ...Object.fromEntries(fields), unheardOf: { of: ["field"] } };
};

const OVERSIZE_BYTES = 8_000_001;
const AT_ONCE = 50;

/** Returns a function that resolves when it has been called this number of times, or after a second. */
const barrier = (count: number): (() => Promise<void>) => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const late = sleep(1_000, undefined, { ref: false });
  let arrived = 0;
  return async () => {
    arrived += 1;
    if (arrived === count) open();
    await Promise.race([opened, late]);
  };
};

const countedAgain = violation({
  pointer: "",
  message: "an event that was sent twice had another effect than one event",
  expected: "the effect of one event",
  actual: "the output of --effect changed again",
});

/** Checks the address at which a listener takes a message. */
const ofAddress =
  (check: (url: URL) => CheckResult): Probe =>
  async (context) => {
    const url = new URL(context.url);
    if (isLoopback(url)) throw new NotTried("the listener is on this machine: give its public URL");
    return { exchanges: [await deliver(context, firstOf(context))], result: check(url) };
  };

export const probes: Readonly<Record<ProbeName, Probe>> = {
  async "accepts-events"(context) {
    const exchanges: Exchange[] = [];
    for (const message of context.kind.messages(context.draw())) {
      const exchange = await deliver(context, message);
      if (!isAccepted(exchange)) {
        const { result } = accepted(`the event ${message.name}`, exchange);
        return { result, exchanges: [exchange] };
      }
      exchanges.push(exchange);
    }
    return { result: HOLDS, exchanges };
  },

  "accepts-unknown-events": accepts("an event with an unknown name", (context) =>
    deliver(context, context.kind.unknownEvent?.(context.draw()) ?? firstOf(context)),
  ),

  "accepts-unknown-fields": accepts("an event with an unknown field", (context) => {
    const { name, body } = firstOf(context);
    return deliver(context, { name, body: withUnknownFields(body) });
  }),

  "accepts-repeated": accepts("a repeated event", async (context) => {
    const message = firstOf(context);
    await deliver(context, message);
    return deliver(context, message);
  }),

  "accepts-out-of-order": accepts("an event that is older than the one before", async (context) => {
    const [older, newer] = [firstOf(context), firstOf(context)];
    await deliver(context, newer);
    return deliver(context, older);
  }),

  "accepts-fifty-at-once": accepts(`one of ${AT_ONCE} events at once`, async (context) => {
    const messages = Array.from({ length: AT_ONCE }, () => firstOf(context));
    const together = barrier(AT_ONCE);
    const exchanges = await Promise.all(
      messages.map((message) => deliver(context, message, { between: together })),
    );
    return exchanges.find((one) => !isAccepted(one)) ?? (exchanges[0] as Exchange);
  }),

  "serves-beside-slow-sender": besideUsual(async (context) => {
    const beside: Exchange[] = [];
    const exchange = await deliver(context, firstOf(context), {
      between: async () => {
        // The first event may reach the listener before the slow one; the second one arrives after it.
        for (let time = 0; time < 2; time += 1) beside.push(await deliver(context, firstOf(context)));
      },
    });
    const late = beside.find((one) => !isAccepted(one));
    return late === undefined
      ? accepted("an event that was sent slowly", exchange)
      : accepted("an event beside a slow one", late);
  }),

  "refuses-oversize": besideUsual(async (context) => {
    const { name, body } = firstOf(context);
    const exchange = await deliver(context, { name, body: { ...body, padding: "x".repeat(OVERSIZE_BYTES) } });
    // Closing the connection before the end is a refusal too.
    const isClosed = exchange.failure?.kind === "connection-lost";
    return isClosed ? { result: HOLDS, exchange } : refused("a body of more than 8 MB", exchange);
  }),

  "refuses-malformed": besideUsual(async (context) => {
    const body = JSON.stringify(firstOf(context).body).slice(0, -2);
    return refused("a truncated body", await context.sender.send({ url: context.url, body }));
  }),

  "refuses-other-methods": besideUsual(async (context) => {
    const put = refused("PUT", await deliver(context, firstOf(context), { method: "PUT" }));
    const del = refused("DELETE", await deliver(context, firstOf(context), { method: "DELETE" }));
    return put.result.holds && !del.result.holds ? del : put;
  }),

  "refuses-other-content-types": besideUsual(async (context) => {
    const send = async (contentType: string) =>
      refused(
        `a body that is sent as ${contentType}`,
        await deliver(context, firstOf(context), { contentType }),
      );
    const xml = await send("text/xml");
    // Pages of other origins may send text/plain without asking (Fetch, CORS-safelisted request header).
    return xml.result.holds ? send("text/plain") : xml;
  }),

  async "stays-up"(context) {
    for (const body of ["", "[]", "null", '"text"', "{", "\0\0", "{}"]) {
      await context.sender.send({ url: context.url, body });
    }
    const exchange = await deliver(context, firstOf(context));
    return { result: accepted("an event after malformed ones", exchange).result, exchanges: [exchange] };
  },

  async "counts-repeated-once"(context) {
    const { effect } = context;
    if (effect === undefined)
      throw new NotTried("needs --effect: a command that prints what the listener holds");
    const [message, other] = [firstOf(context), firstOf(context)];
    const before = await effect();
    const first = await deliver(context, message);
    const once = await effect();
    if (once === before) throw new TargetLost("the output of --effect did not change with a new event");
    await deliver(context, other);
    const both = await effect();
    // A listener that remembers only its last event takes this one for a new one.
    const again = [await deliver(context, message), await deliver(context, other)];
    if ((await effect()) !== both) return { result: countedAgain, exchanges: [...again, first] };
    const twin = firstOf(context);
    const twins = await Promise.all([deliver(context, twin), deliver(context, twin)]);
    const [ofOne, ofTwins] = [Number(once) - Number(before), Number(await effect()) - Number(both)];
    return ofOne !== 0 && ofTwins === 2 * ofOne
      ? { result: countedAgain, exchanges: twins }
      : { result: HOLDS, exchanges: [...again, first] };
  },

  async "answers-verification"({ kind, url, sender }) {
    const { query = {}, isAnswer = () => true } = kind.verification ?? {};
    const address = new URL(url);
    for (const [name, value] of Object.entries(query)) address.searchParams.append(name, value);
    const isVerified = (exchange: Exchange): boolean =>
      isAccepted(exchange) && isAnswer(exchange.response?.body.toString("utf8") ?? "");
    // The document does not show the method of a verification.
    const byGet = await sender.send({ url: address.href, method: "GET" });
    if (isVerified(byGet)) return { result: HOLDS, exchanges: [byGet] };
    const byPost = await sender.send({ url, body: JSON.stringify(query) });
    const result = checkThat(isVerified(byPost) && !isAccepted(byGet), {
      pointer: "",
      message: "the verification was not answered",
      expected: "a 2xx status, with the code or without a body",
      actual: `${answerOf(byGet)} for GET, ${answerOf(byPost)} for POST`,
    });
    return { result, exchanges: [byGet, byPost] };
  },

  "has-standard-port": ofAddress(({ port }) =>
    checkThat(["", "80", "443"].includes(port), {
      pointer: "",
      message: "the URL of the listener has a port that gets no events",
      expected: "port 80 or 443",
      actual: `port ${port}`,
    }),
  ),

  "has-https": ofAddress(({ protocol }) =>
    checkThat(protocol === "https:", {
      pointer: "",
      message: "the URL of the listener does not use HTTPS, which real accounts need",
      expected: "an https URL",
      actual: protocol,
      // Testing customers may have a listener without HTTPS.
      suspected: true,
    }),
  ),
};
