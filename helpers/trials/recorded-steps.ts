/** Steps of a sequence for the certificate: redacted, with the values of each answer that later requests use. */
import { escapeSegment } from "../contract/pointer.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Recorder } from "../exchange/recorder.ts";
import type { ExecutedStep, Expectation, RecordedStep } from "./failure.ts";

export const recordSteps = (taken: readonly ExecutedStep[], recorder: Recorder): RecordedStep[] =>
  taken.map(({ exchange, must, ...step }, index) => ({
    ...step,
    ...(must !== undefined && { must: redactedExpectation(must, recorder) }),
    ...(exchange !== undefined && {
      exchange: recorder.record(exchange),
      gives: givenBy(exchange, taken.slice(0, index + 1), taken.slice(index + 1), recorder),
    }),
  }));

const redactedExpectation = (must: Expectation, { redact }: Recorder): Expectation =>
  Object.fromEntries(
    Object.entries(must).map(([name, value]) => [name, typeof value === "string" ? redact(value) : value]),
  );

/** Shorter values occur by chance in many places. */
const SHORTEST = 4;

/** Finds values that appear first in this answer and again in a later request. @returns them by pointer, redacted */
const givenBy = (
  { response }: Exchange,
  before: readonly ExecutedStep[],
  after: readonly ExecutedStep[],
  { redact }: Recorder,
): Record<string, string> => {
  const [earlier, later] = [textOf(before), textOf(after)];
  const given = new Map<string, string>();
  for (const [pointer, value] of leavesOf(response?.json)) {
    const isNew = value.length >= SHORTEST && !given.has(value) && !earlier.includes(value);
    if (isNew && later.includes(value)) given.set(value, pointer);
  }
  return Object.fromEntries([...given].map(([value, pointer]) => [pointer, redact(value)]));
};

const textOf = (taken: readonly ExecutedStep[]): string =>
  taken
    .flatMap(({ exchange, act, must }) => [
      exchange === undefined ? "" : decodeURIComponent(exchange.request.url),
      exchange?.request.body ?? "",
      JSON.stringify(exchange?.request.headers ?? {}),
      JSON.stringify(act ?? ""),
      JSON.stringify(must ?? ""),
    ])
    .join("\n");

function* leavesOf(value: unknown, pointer = ""): Generator<readonly [string, string]> {
  if (typeof value === "string" || typeof value === "number") yield [pointer, String(value)];
  if (typeof value !== "object" || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    yield* leavesOf(child, `${pointer}/${escapeSegment(name)}`);
  }
}
