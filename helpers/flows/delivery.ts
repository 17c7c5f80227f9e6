/** What the receiver took, and how it compares with what was expected. */
import type { Exchange } from "../exchange/exchange.ts";
import { remembered } from "../remembered.ts";

export interface Delivery {
  readonly receivedAt: Date;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when it was too long. */
  readonly body: Buffer;
  /** The body as JSON, or `undefined` when it is no JSON. */
  readonly json: unknown;
  /** Status of our answer. */
  readonly answered: number;
}

export interface Expected {
  /** What the delivery carries somewhere: the id of a plan, a report, a transaction. */
  readonly identifier: string;
  /** A later one is late. */
  readonly due?: Date;
  /** Whether the body is the one that was expected; any is, unless given. */
  readonly fits?: (json: unknown) => boolean;
}

/** `out-of-order`: it came before one that was expected before it. */
export type DeliveryProblem = "never" | "twice" | "late" | "out-of-order" | "other-body";

/** Problems of each expected delivery, in the order in which they are expected; none where all is well. */
export const deliveryProblems = (
  expected: readonly Expected[],
  deliveries: readonly Delivery[],
): DeliveryProblem[][] => {
  let furthest = -1;
  return expected.map((one) => {
    const own = deliveries.filter((delivery) => carries(delivery, one.identifier));
    const [first] = own;
    if (first === undefined) return ["never"];
    const position = deliveries.indexOf(first);
    const overtaken = position < furthest;
    furthest = Math.max(furthest, position);
    const problems: [DeliveryProblem, boolean][] = [
      ["twice", own.length > 1],
      ["late", one.due !== undefined && first.receivedAt > one.due],
      ["out-of-order", overtaken],
      ["other-body", own.some(({ json }) => one.fits?.(json) === false)],
    ];
    return problems.flatMap(([problem, applies]) => (applies ? [problem] : []));
  });
};

/** Whether the identifier stands in the path, the query or as a value anywhere in the body. */
export const carries = (delivery: Delivery, identifier: string): boolean =>
  carriedBy(delivery).has(identifier);

/** Whoever waits asks of every delivery again with each that comes. */
const carriedBy = remembered(({ path, json }: Delivery) => new Set([...partsOf(path), ...valuesIn(json)]));

const partsOf = (path: string): string[] => path.split(/[/?&=#]/).map(decoded);

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** All strings and numbers in the JSON, as text. */
function* valuesIn(json: unknown): Generator<string> {
  if (typeof json === "string" || typeof json === "number") yield String(json);
  else if (typeof json === "object" && json !== null)
    for (const value of Object.values(json)) yield* valuesIn(value);
}

/** Whether a string or number of that text is a value anywhere in the JSON. */
export const holdsValue = (json: unknown, text: string): boolean => {
  for (const value of valuesIn(json)) if (value === text) return true;
  return false;
};

/** A delivery as the exchange that it was, for what is written about it and for coverage. */
export const exchangeOfDelivery = (
  delivery: Delivery,
  {
    id,
    service,
    operationId,
    url,
  }: Pick<Exchange, "id" | "service" | "operationId"> & { readonly url: string },
): Exchange => ({
  id,
  service,
  operationId,
  request: {
    method: delivery.method,
    url: new URL(delivery.path, url).href,
    headers: delivery.headers,
    ...(delivery.body.length > 0 && { body: delivery.body.toString("utf8") }),
  },
  requestJson: delivery.json,
  response: { status: delivery.answered, headers: {}, body: Buffer.alloc(0), json: undefined },
  startedAt: delivery.receivedAt,
  durationMs: 0,
});

/** @returns `undefined` when it is no JSON */
export const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
};
