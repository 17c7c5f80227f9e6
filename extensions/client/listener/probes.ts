/** The probes of a listener: each tries one requirement, next to a message that the listener accepts. */
import { setTimeout as sleep } from "node:timers/promises";
import { type CheckResult, checkThat, HOLDS } from "../../../helpers/exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { isLoopback } from "../../../helpers/target/loopback.ts";
import { NotTried, TargetLost } from "../../../helpers/trials/stopped.ts";
import { effectProbes } from "./effects.ts";
import { escaped, reordered, withLetters, without, withUnknownFields } from "./forms.ts";
import type { Message, ProbeName } from "./kind.ts";
import {
  type Answered,
  AT_ONCE,
  accepted,
  answerOf,
  deliver,
  firstOf,
  type Probe,
  type ProbeContext,
  refused,
} from "./probe.ts";
import type { ListenerRequest } from "./sender.ts";

/** Tries a message next to a usual one. Without the acceptance of the usual one, nothing is shown. */
const besideUsual =
  (probe: (context: ProbeContext) => Promise<Answered>): Probe =>
  async (context) => {
    const { result, exchange } = await probe(context);
    const control = await deliver(context, firstOf(context));
    if (isAccepted(control)) return { result, exchanges: [exchange, control] };
    throw new TargetLost("not-arranged", `a usual message was not accepted (${answerOf(control)})`);
  };

/** Tries a message that the listener has to accept. */
const accepts = (what: string, send: (context: ProbeContext) => Promise<Exchange>): Probe =>
  besideUsual(async (context) => accepted(what, await send(context)));

const deliverChanged = (
  context: ProbeContext,
  change: (body: Message["body"]) => Message["body"],
): Promise<Exchange> => {
  const { name, body } = firstOf(context);
  return deliver(context, { name, body: change(body) });
};

const OVERSIZE_BYTES = 9_000_000;

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

const CODES = ["3141592653", "2718281828"] as const;

/** The document does not show the method of a verification. A listener without GET refuses it as a method. */
const verified = async ({ kind, url, sender }: ProbeContext, code: string): ReturnType<Probe> => {
  const { verification: name = "" } = kind;
  const address = new URL(url);
  address.searchParams.append(name, code);
  const textOf = ({ response }: Exchange): string => response?.body.toString("utf8") ?? "";
  const byGet = await sender.send({ url: address.href, method: "GET" });
  const isAnswer = textOf(byGet).trim() === "" || textOf(byGet).includes(code);
  if (isAccepted(byGet) && isAnswer) return { result: HOLDS, exchanges: [byGet] };
  const byPost = await sender.send({ url, body: JSON.stringify({ [name]: code }) });
  const hasNoGet = [405, 501].includes(statusOf(byGet));
  const result = checkThat(hasNoGet && isAccepted(byPost) && textOf(byPost).includes(code), {
    message: "the verification was not answered",
    expected: "a 2xx status, with the code or without a body",
    actual: `${answerOf(byGet)} for GET, ${answerOf(byPost)} for POST`,
  });
  return { result, exchanges: [byGet, byPost] };
};

/** Checks the address at which a listener takes a message. */
const ofAddress =
  (check: (url: URL) => CheckResult): Probe =>
  async (context) => {
    const url = new URL(context.url);
    if (isLoopback(url)) throw new NotTried("lacks-public-url");
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

  "accepts-unknown-fields": accepts("an event with an unknown field", (context) =>
    deliverChanged(context, withUnknownFields),
  ),

  "accepts-absent-fields": accepts("an event without an optional field", (context) =>
    deliverChanged(context, (body) => without(body, context.kind.optional)),
  ),

  "accepts-other-order": accepts("an event with its fields in another order", async (context) => {
    await deliver(context, firstOf(context));
    return deliverChanged(context, reordered);
  }),

  "accepts-other-forms": besideUsual(async (context) => {
    const json = (indent?: number): string => JSON.stringify(firstOf(context).body, withLetters, indent);
    const forms: readonly (readonly [what: string, sent: Partial<ListenerRequest>])[] = [
      ["with a charset", { contentType: "application/json; charset=utf-8" }],
      ["with blanks and ends of lines", { body: json(2) }],
      ["with letters beyond ASCII", { body: json() }],
      ["with codes of characters", { body: escaped(JSON.stringify(firstOf(context).body)) }],
      ["in chunks", { body: json(), isChunked: true }],
    ];
    let last: Answered | undefined;
    for (const [what, sent] of forms) {
      last = accepted(`an event ${what}`, await deliver(context, firstOf(context), sent));
      if (!last.result.holds) break;
    }
    return last as Answered;
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
    const between = barrier(AT_ONCE);
    const exchanges = await Promise.all(messages.map((message) => deliver(context, message, { between })));
    return exchanges.find((one) => !isAccepted(one)) ?? (exchanges[0] as Exchange);
  }),

  "serves-beside-slow-sender": besideUsual(async (context) => {
    const beside: Exchange[] = [];
    const exchange = await deliver(context, firstOf(context), {
      between: async () => {
        // The first event may reach the listener before the slow one; the second one arrives after it.
        for (let time = 0; time < 2; time += 1) beside.push(await deliver(context, firstOf(context)));
        await sleep(context.pauseMs);
      },
    });
    const late = beside.find((one) => !isAccepted(one));
    return late === undefined
      ? accepted("an event that was sent slowly", exchange)
      : accepted("an event beside a slow one", late);
  }),

  "refuses-oversize": besideUsual(async (context) => {
    const padding = "x".repeat(OVERSIZE_BYTES);
    const exchange = await deliverChanged(context, (body) => ({ ...body, padding }));
    // Closing the connection before the end is a refusal too.
    const isClosed = exchange.failure?.kind === "connection-lost";
    return isClosed ? { result: HOLDS, exchange } : refused("a body of more than 8 MB", exchange);
  }),

  "refuses-malformed": besideUsual(async (context) => {
    const body = JSON.stringify(firstOf(context).body).slice(0, -2);
    return refused("a truncated body", await context.sender.send({ url: context.url, body }));
  }),

  "refuses-other-methods": besideUsual(async (context) => {
    // The documents do not show the method of a message, and PUT stores one as well.
    return refused("DELETE", await deliver(context, firstOf(context), { method: "DELETE" }));
  }),

  "refuses-other-content-types": besideUsual(async (context) => {
    // A listener may read JSON under any content type.
    const xml = { url: context.url, contentType: "text/xml", body: "<event/>" };
    return refused("a body of XML", await context.sender.send(xml));
  }),

  async "stays-up"(context) {
    const { body: usual } = firstOf(context);
    const nulls = Object.fromEntries(Object.keys(usual).map((name) => [name, null]));
    const strange = [nulls, [usual], { ...usual, ...{ event: 5, payload: [], records: "none" } }];
    const jsons = strange.map((one) => JSON.stringify(one));
    for (const body of ["", "[]", "null", '"text"', "{", "\0\0", "{}", ...jsons])
      await context.sender.send({ url: context.url, body });
    // The documents show no signature, so a listener may ignore a false one.
    const signed = { "x-signature": "sha256=0000", date: new Date(0).toUTCString() };
    await context.sender.send({ url: context.url, body: JSON.stringify(usual), headers: signed });
    const exchange = await deliver(context, firstOf(context));
    return { result: accepted("an event after malformed ones", exchange).result, exchanges: [exchange] };
  },

  ...effectProbes,

  async "answers-verification"(context) {
    const shown: Exchange[] = [];
    const before = await context.effect?.();
    // A listener that repeats a code that it knows has not read the one that it got.
    for (const code of CODES) {
      const { result, exchanges } = await verified(context, code);
      if (!result.holds) return { result, exchanges };
      shown.push(...exchanges);
    }
    const result = checkThat((await context.effect?.()) === before, {
      message: "a verification had the effect of an event",
      ...{ expected: "no effect", actual: "the output of the effect command changed" },
    });
    return { result, exchanges: shown };
  },

  "has-standard-port": ofAddress(({ port }) =>
    checkThat(["", "80", "443"].includes(port), {
      message: "the URL of the listener has a port that gets no events",
      ...{ expected: "port 80 or 443", actual: `port ${port}` },
    }),
  ),

  "has-https": ofAddress(({ protocol }) =>
    checkThat(protocol === "https:", {
      message: "the URL of the listener does not use HTTPS, which real accounts need",
      ...{ expected: "an https URL", actual: protocol },
      // Testing customers may have a listener without HTTPS.
      suspected: true,
    }),
  ),
};
