/** How a listener answers. Its manners decide what it does right or wrong. */
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type Json, valueOfJson } from "../../../helpers/contract/json.ts";

/** The behaviour of a right listener; wrong ones differ in one member. */
export const RIGHT = {
  status: 204,
  /** Names of events that it accepts. */
  knownEvents: /^/,
  /** The objects in which it accepts unknown fields. */
  acceptsUnknownFields: "all" as "all" | "outer" | "none",
  acceptsRepeated: true,
  acceptsOlder: true,
  /** The number of requests that it serves at once. */
  capacity: 1_000,
  largest: 1_000_000,
  refusesMalformed: true,
  methods: ["POST"] as readonly string[],
  /** Content types that it accepts besides JSON. */
  otherContentTypes: /^$/,
  survivesMalformed: true,
  /** Repeated events that it counts again: all, those after another event, or those that arrive at the same time. */
  countsRepeated: "none" as "none" | "all" | "later" | "at-once",
  verification: "code" as
    | "code"
    | "empty"
    | "none"
    | "other"
    | "post"
    | "once"
    | "first"
    | "get-not-found"
    | "counted",
  /** The fields that an event must have. */
  demands: [] as readonly string[],
  /** Whether events must begin with the same field. */
  readsInOrder: false,
  /** Milliseconds for which it waits for the rest of a body. */
  bodyTimeoutMs: 60_000,
  /** Events that it accepts and loses: none, those that arrive at the same time, or every tenth. */
  loses: "none" as "none" | "at-once" | "tenth",
  /** The number of events that it remembers. */
  remembers: Number.POSITIVE_INFINITY,
  /** Whether it takes events of another day for new ones. */
  forgetsYesterday: false,
  /** Milliseconds of work for each event; it handles one event at a time if this is not zero. */
  worksMs: 0,
  /** Bodies that end it. */
  diesOf: /^\b$/,
  /** Whether it refuses a false signature. */
  checksSignature: false,
  /** The written forms that it can read: all, or those with a length, of one line, of plain type, in ASCII, in one part. */
  forms: "all" as "all" | "with-length" | "one-line" | "plain-type" | "ascii" | "unescaped" | "one-part",
};

export type Manners = typeof RIGHT;

type Held = ReturnType<typeof newHeld>;

export const newHeld = () => ({
  seen: new Set<string>(),
  count: 0,
  latest: "",
  last: "",
  /** The events that are being stored, and how to end that. */
  storing: new Map<string, () => void>(),
  reading: 0,
  isBroken: false,
  accepted: 0,
  firstCode: undefined as string | undefined,
  firstField: undefined as string | undefined,
  /** The end of the work on the event before. */
  work: Promise.resolve() as Promise<unknown>,
});

/** Whether a listener can read the written form of a message. */
const isReadable = ({ forms }: Manners, { headers }: IncomingMessage, body: string): boolean =>
  ({
    all: true,
    "with-length": headers["content-length"] !== undefined,
    "one-line": !body.includes("\n"),
    "plain-type": !headers["content-type"]?.includes(";"),
    ascii: !/[^\0-\x7f]/.test(body),
    unescaped: !body.includes("\\u"),
    "one-part": !body.includes("\ufffd"),
  })[forms];

interface Answer {
  readonly status: number;
  readonly text?: string;
}

/** Milliseconds for which a listener that stores an event may wait for the same event. */
const STORING_MS = 500;

export const answerTo = async (
  manners: Manners,
  held: Held,
  request: IncomingMessage,
  body: string,
): Promise<Answer> => {
  const url = new URL(request.url ?? "/", "http://listener");
  const isPost = request.method === "POST";
  const code =
    url.searchParams.get("verification_code") ?? (isPost ? fieldsIn(body)?.verification_code : undefined);
  if (typeof code === "string") return verified(manners, held, code, isPost);
  if (!manners.methods.includes(request.method ?? "")) return { status: 405 };
  const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
  if (!isJson && !manners.otherContentTypes.test(request.headers["content-type"] ?? ""))
    return { status: 415 };
  if (body.length > manners.largest) return { status: 413 };
  if (!isReadable(manners, request, body)) return { status: 400 };
  if (manners.checksSignature && request.headers["x-signature"] !== undefined) return { status: 401 };
  const message = fieldsIn(body);
  if (message === undefined) {
    held.isBroken = !manners.survivesMalformed;
    return { status: manners.refusesMalformed ? 400 : manners.status };
  }
  if (manners.worksMs > 0) {
    held.work = held.work.then(() => sleep(manners.worksMs));
    await held.work;
  }
  return taken(manners, held, message, body);
};

const verified = ({ verification, status }: Manners, held: Held, code: string, isPost: boolean): Answer => {
  held.firstCode ??= code;
  if (verification === "counted") held.count += 1;
  if (verification === "first") return { status: 200, text: held.firstCode };
  if (verification === "get-not-found") return { status: isPost ? status : 404 };
  if (verification === "once") return held.firstCode === code ? { status: 200, text: code } : { status: 404 };
  if (verification === "post") return isPost ? { status: 200, text: code } : { status: 405 };
  if (isPost || verification === "none") return { status: 404 };
  if (verification === "other") return { status: 200, text: "welcome" };
  return /^co/.test(verification) ? { status: 200, text: code } : { status };
};

const fieldsIn = (body: string): Json | undefined => {
  const value = valueOfJson(body);
  return isObject(value) && Object.keys(value).length > 0 ? value : undefined;
};

const taken = async (manners: Manners, held: Held, message: Json, body: string): Promise<Answer> => {
  const { unheardOf, ...known } = message;
  const isInner = JSON.stringify(known).includes('"unheardOf"');
  const isRefused = manners.acceptsUnknownFields === "none" ? unheardOf !== undefined : isInner;
  if (isRefused && manners.acceptsUnknownFields !== "all") return { status: 400 };
  const event = (known.event ?? {}) as Json;
  const name = String(known.eventName ?? event.class ?? known.status ?? known.useCase);
  if (!manners.knownEvents.test(name)) return { status: 422 };
  const [, field = ""] = FIELD.exec(body) ?? [];
  held.firstField ??= field;
  if (manners.readsInOrder && field !== held.firstField) return { status: 400 };
  if (manners.demands.some((name) => !body.includes(`"${name}"`))) return { status: 400 };
  // The part of a message that grows with its time.
  const time = TIME.exec(body)?.[1]?.replace(/\d+/g, (digits) => digits.padStart(12, "0")) ?? "";
  if (time < held.latest && !manners.acceptsOlder) return { status: 409 };
  if (time > held.latest) held.latest = time;
  const isRepeated = manners.countsRepeated === "later" ? held.last === body : held.seen.has(body);
  if (isRepeated && !manners.acceptsRepeated) return { status: 409 };
  if (manners.countsRepeated === "at-once") await storing(held, body);
  held.seen.add(body);
  held.last = body;
  const [oldest = ""] = held.seen;
  if (held.seen.size > manners.remembers) held.seen.delete(oldest);
  if (manners.forgetsYesterday && isOfYesterday(body)) held.seen.delete(body);
  if (!isRepeated || manners.countsRepeated === "all") await counted(manners, held);
  return { status: manners.status };
};

/** The first field that is not an object or a list. */
const FIELD = /"(\w+)":(?![{[])/;

/** Counts an event, unless it loses it: a listener that reads its count and writes it later loses others meanwhile. */
const counted = async ({ loses }: Manners, held: Held): Promise<void> => {
  held.accepted += 1;
  if (loses === "tenth" && held.accepted % 10 === 0) return;
  const before = held.count;
  if (loses === "at-once") await sleep(50);
  held.count = loses === "at-once" ? before + 1 : held.count + 1;
};

/** Whether the time in an event is more than half a day ago. */
const isOfYesterday = (body: string): boolean => {
  const [, text = ""] = TIME.exec(body) ?? [];
  const time = /^\d{10}$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
  return Date.now() - time > 12 * 3_600_000;
};

/** Waits for the same event, so that two that arrive at once are both stored, however slowly the second one arrives. */
const storing = ({ storing: waiting }: Held, body: string): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      waiting.delete(body);
      resolve();
    };
    const first = waiting.get(body);
    if (first === undefined) {
      waiting.set(body, end);
      setTimeout(end, STORING_MS);
      return;
    }
    first();
    resolve();
  });

const TIME = /"(?:createdDate|createdAt|transactionDate|reportId)":"?([^",}]+)/;
