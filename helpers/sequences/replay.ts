/** Repeats recorded steps: the same requests, with the ids that the target returns this time. */
import { isDeepStrictEqual } from "node:util";
import { instancesAt } from "../checks/rules.ts";
import type { Operation } from "../contract/contract.ts";
import type { RecordedExchange } from "../exchange/exchange.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import type { Expectation, RecordedStep } from "../trials/failure.ts";
import type { Call } from "../trials/kit/language.ts";
import type { SequenceDriver } from "./model.ts";

export interface Replay {
  readonly exchanges: readonly (Exchange | undefined)[];
  /** `unknown`: no single answer shows the violation. */
  readonly end: "broken" | "holds" | "unknown";
}

/** @throws when a request was too long to be stored whole */
export const replay = async (
  steps: readonly RecordedStep[],
  {
    driver,
    operations,
    values,
    onStep,
  }: {
    readonly driver: Pick<SequenceDriver, "send" | "perform">;
    readonly operations: readonly Operation[];
    /** Configuration of the target by environment name. The values replace redacted values. */
    readonly values: Readonly<Record<string, string>>;
    /** Called after each step. */
    readonly onStep: (step: RecordedStep, exchange: Exchange | undefined) => void;
  },
): Promise<Replay> => {
  /** Maps each recorded value to the value that replaces it in this replay. */
  const known = new Map<string, string>(Object.entries(values).map(([name, value]) => [`‹${name}›`, value]));
  const exchanges: (Exchange | undefined)[] = [];
  for (const group of groupsOf(steps)) {
    const sent = await Promise.all(
      group.map(async ({ act, exchange }) => {
        if (act !== undefined) await driver.perform(JSON.parse(current(JSON.stringify(act), known)));
        return exchange === undefined ? undefined : driver.send(callOf(exchange, operations, known));
      }),
    );
    for (const [index, step] of group.entries()) {
      const exchange = sent[index];
      for (const [pointer, value] of Object.entries(step.gives ?? {})) {
        const [found] = instancesAt(exchange?.response?.json, pointer);
        if (found !== undefined) known.set(value, String(found.value));
      }
      onStep(step, exchange);
    }
    exchanges.push(...sent);
  }
  return { exchanges, end: endOf(steps, exchanges, known) };
};

/** Groups the steps that were sent at the same time. */
const groupsOf = (steps: readonly RecordedStep[]): RecordedStep[][] => {
  const groups: RecordedStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.beside && last !== undefined) last.push(step);
    else groups.push([step]);
  }
  return groups;
};

const callOf = (
  { operationId, request }: RecordedExchange,
  operations: readonly Operation[],
  known: ReadonlyMap<string, string>,
): Call => {
  if (/‹cut here/.test(request.body ?? ""))
    throw new Error(`The request of ${operationId} was too long to be kept whole: it can't be sent again.`);
  const operation = operations.find((one) => one.operationId === operationId);
  const headers = Object.entries(request.headers)
    .map(([name, value]) => [name, current(value, known)] as const)
    .filter(([name, value]) => !value.includes("‹") && name !== "content-type");
  return {
    operationId,
    ...addressOf(request, operation, known),
    headers: Object.fromEntries(headers),
    ...(request.body !== undefined && {
      raw: {
        body: madeUp(current(request.body, known)),
        contentType: request.headers["content-type"] ?? "application/json",
      },
    }),
  };
};

/** Returns the parameters of the operation if the request has its path; only then is it known what the call creates. */
const addressOf = (
  { method, url }: RecordedExchange["request"],
  operation: Operation | undefined,
  known: ReadonlyMap<string, string>,
): Pick<Call, "path" | "query" | "method" | "at"> => {
  const at = current(belowBase(url, operation), known);
  const [pathname = "", search = ""] = at.split(/\?(.*)/s);
  const names = [...(operation?.path ?? "").matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  const pattern = (operation?.path ?? "").replaceAll(/\{[^}]+\}/g, "([^/]+)");
  const values = new RegExp(`^${pattern}$`).exec(pathname)?.slice(1);
  const query = Object.fromEntries(new URLSearchParams(search));
  const isPlain =
    method === operation?.method &&
    new URLSearchParams(query).toString() === search &&
    values?.every((value) => isPlainSegment(value));
  if (!isPlain || values === undefined) return { method, at };
  return { path: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""])), query };
};

const isPlainSegment = (value: string): boolean =>
  encodeURIComponent(value) === value && !/^\.+$/.test(value);

/** Returns the URL without its base, because the base may have changed. */
const belowBase = (url: string, operation: Operation | undefined): string => {
  const { pathname, search } = new URL(url);
  const template = (operation?.path ?? "").replaceAll(/\{[^}]+\}/g, "[^/]+");
  return `${new RegExp(`${template}$`).exec(pathname)?.[0] ?? pathname}${search}`;
};

/**
 * Replaces recorded values with current values. Replaces longer values first, so that no value is replaced only in
 * part.
 */
const current = (text: string, known: ReadonlyMap<string, string>): string => {
  const values = [...known.keys()].sort((a, b) => b.length - a.length);
  if (values.length === 0) return text;
  const pattern = new RegExp(
    values.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"),
    "g",
  );
  return text.replace(pattern, (value) => known.get(value) ?? value);
};

/** Replaces placeholders that state a kind and a length with fictional values of the same kind and length. */
const madeUp = (text: string): string =>
  text.replaceAll(/‹([^,‹›]+), (\d+) (?:characters|digits)›/g, (_, what: string, length: string) => {
    if (what === "card number") return CARD.slice(0, Number(length));
    const digits = "123456789".repeat(30).slice(0, Number(length));
    return what === "e-mail" ? `r${digits.slice(13)}@example.com` : digits;
  });

/** A card number for tests. */
const CARD = "5555555555554444";

const endOf = (
  steps: readonly RecordedStep[],
  exchanges: readonly (Exchange | undefined)[],
  known: ReadonlyMap<string, string>,
): Replay["end"] => {
  const at = steps.findIndex(({ must }) => must !== undefined);
  const must = steps[at]?.must;
  if (must === undefined) return "unknown";
  const now = JSON.parse(current(JSON.stringify(must), known)) as Expectation;
  // When two steps were sent at the same time, the answers may be swapped.
  const beside = [at - 1, at, at + 1].filter(
    (index) => index === at || (index < at ? steps[at]?.beside : steps[index]?.beside),
  );
  const held = beside.some((index) => exchanges[index] !== undefined && keeps(exchanges[index], now));
  return held ? "holds" : "broken";
};

const keeps = (
  exchange: Exchange,
  { accepted, status, holds, lacks, pointer, value }: Expectation,
): boolean => {
  const text = exchange.response?.body.toString("utf8") ?? "";
  if (accepted !== undefined && isAccepted(exchange) !== accepted) return false;
  if (status !== undefined && statusOf(exchange) !== status) return false;
  if (holds !== undefined && !text.includes(holds)) return false;
  if (lacks !== undefined && text.includes(lacks)) return false;
  const json = exchange.response?.json;
  const [found] = pointer === undefined ? [] : instancesAt(Array.isArray(json) ? json[0] : json, pointer);
  return pointer === undefined || isDeepStrictEqual(found?.value, value);
};
