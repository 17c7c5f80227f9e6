/** Chooses the changes of what a trial read: first those that are most likely to violate a requirement. */
import { groupBy } from "../../contract/memoize.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { Delivery } from "../../flows/delivery.ts";
import { type Edit, editsOfKinds, nearEdits, statusEdits, type Vocabulary, withAnswerOf } from "./changes.ts";
import { firstOf, reduced } from "./effort.ts";
import type { ReadingNotes } from "./reads.ts";
import { type Change, FURTHER } from "./replaying.ts";
import { addressesOn, deliveriesOn, exchangesOn, knownOn, outsideOn, type Tape } from "./tape.ts";
import { neighboursOf, placesIn, REMOVED, replaced } from "./values.ts";

/** @param held the exchanges of each requirement that held, the judged one first */
export function* changesOf(
  tape: Tape,
  held: readonly (readonly Exchange[])[],
  notes: ReadingNotes,
  vocabulary: Vocabulary,
): Generator<Change> {
  const firsts = held.flatMap((exchanges) => exchanges.slice(0, 1));
  const others = held.flatMap((exchanges) => exchanges.slice(1, MOST_SHOWN));
  const all = exchangesOn(tape);
  const judged = [...new Set([...firsts, ...others])].filter((one) => notes.of(one));
  const rest = all.slice(-MOST_OTHERS).filter((one) => notes.of(one) && !judged.includes(one));
  const known = knownOn(tape).slice(0, MOST_KNOWN);
  let found: readonly string[] | undefined;
  const names = (): readonly string[] => {
    found ??= namesIn([...judged, ...all, ...[...tape.uses].flatMap(exchangesOn)].map(reduced));
    return found;
  };
  const near = (exchange: Exchange) =>
    nearEdits(reduced(exchange), { ...vocabulary, known, names }, notes.of(exchange));
  const swaps = (exchange: Exchange) => {
    const alike = [...judged, ...all].filter((one) => one.operationId === exchange.operationId);
    const nearest = new Set([...alike.slice(0, 3), ...alike.slice(-2)]);
    return [...nearest].filter((one) => one !== exchange).map((one) => withAnswerOf(reduced(one)));
  };
  const wide = (exchange: Exchange) => {
    const [status, ...statuses] = statusEdits(exchange);
    const [number, text, ...kinds] = editsOfKinds(reduced(exchange));
    const first = [status, number, text].filter((edit) => edit !== undefined);
    return [...first, ...swaps(exchange), ...kinds, ...statuses];
  };
  yield* eachWith(judged, wide);
  yield* deliveryChanges(tape);
  yield* outsideChanges(tape);
  // A check may look for one right answer among several.
  for (const exchange of judged.slice(0, MOST_SHOWN)) {
    const alike = [...judged, ...rest].filter((one) => one.operationId === exchange.operationId);
    const edits = alike.length < 2 ? [] : [...statusEdits(exchange), ...firstOf(near(exchange), MOST_ALIKE)];
    for (const edit of edits) yield new Map(alike.map((one) => [one, edit(reduced(one))]));
  }
  yield* eachWith(rest, swaps);
  yield* eachWith(judged, near);
  yield* eachWith(rest, wide);
  yield* eachWith(rest, near);
}

const MOST_ALIKE = 8;

/** Yields each exchange with each of its edits, in turns. */
const eachWith = (
  exchanges: readonly Exchange[],
  editsOf: (exchange: Exchange) => Iterable<Edit>,
): Generator<Change> =>
  inTurns(exchanges.map((one) => mapped(editsOf(one), (edit) => new Map([[one, edit(reduced(one))]]))));

const MOST_SHOWN = 4;
const MOST_OTHERS = 12;
const MOST_KNOWN = 10;

/** Returns the names of the fields in the answers. */
const namesIn = (exchanges: readonly Exchange[]): string[] => {
  const texts = exchanges.flatMap(({ response }) => placesIn(response?.json, MOST_NAMED));
  return [...new Set(texts.map(({ path }) => path.at(-1)))].filter((name) => typeof name === "string");
};

const MOST_NAMED = 800;

function* mapped<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Generator<Result> {
  for (const item of items) yield map(item);
}

/** Yields from each generator in turn. */
function* inTurns<Item>(generators: readonly Generator<Item>[]): Generator<Item> {
  let left = generators;
  while (left.length > 0) {
    const steps = left.map((generator) => ({ generator, step: generator.next() }));
    for (const { step } of steps) if (!step.done) yield step.value;
    left = steps.filter(({ step }) => !step.done).map(({ generator }) => generator);
  }
}

/** Yields deliveries that never come, come twice or too often, or have another value. */
function* deliveryChanges(tape: Tape): Generator<Change> {
  const all = deliveriesOn(tape);
  if (all.length === 0) return;
  yield new Map(all.map((delivery) => [delivery, []]));
  for (const [, alike] of groupBy(all, ({ path, method }) => `${method} ${path}`))
    yield new Map(alike.map((delivery) => [delivery, []]));
  const deliveries = all.slice(-MOST_DELIVERIES);
  for (const address of addressesOn(tape)) {
    const { pathname: path } = new URL(address);
    for (const delivery of deliveries) yield new Map([[FURTHER, [{ ...delivery, path }]]]);
    const other = { ...(deliveries.at(-1) as Delivery), json: {}, body: Buffer.from("{}") };
    yield new Map([[FURTHER, [{ ...other, path }]]]);
  }
  for (const delivery of deliveries) {
    yield new Map([[delivery, [delivery, { ...delivery }]]]);
    yield new Map([[delivery, [{ ...delivery, headers: {} }]]]);
    for (const { path, value } of placesIn(delivery.json, MOST_DELIVERED)) {
      for (const other of [...neighboursOf(value).slice(0, 2), REMOVED]) {
        const json = replaced(delivery.json, path, other);
        const { numeric: _, ...rest } = delivery;
        yield new Map([[delivery, [{ ...rest, json, body: Buffer.from(JSON.stringify(json) ?? "") }]]]);
      }
    }
  }
}

const MOST_DELIVERIES = 6;
const MOST_DELIVERED = 30;

/** Yields other contents of what the trial read outside of the API. */
function* outsideChanges(tape: Tape): Generator<Change> {
  for (const seen of outsideOn(tape).reverse()) {
    for (const { path, value } of placesIn(seen, MOST_SEEN)) {
      for (const other of [...neighboursOf(value).slice(0, 6), REMOVED])
        if (path.length > 0) yield new Map([[seen, replaced(seen, path, other)]]);
    }
  }
}

const MOST_SEEN = 60;
