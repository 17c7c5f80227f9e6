/** Deliveries that the receiver accepted, compared with the expected ones. */
import { memoize } from "../contract/memoize.ts";
import { percentDecoded } from "../contract/pointer.ts";
import type { Exchange } from "../exchange/exchange.ts";

export interface Delivery {
  readonly receivedAt: Date;
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when the body was too long. */
  readonly body: Buffer;
  /** The parsed JSON body, or `undefined` when the body is not JSON. */
  readonly json: unknown;
  /** The same with numbers that a double can't hold as numbers; absent if there are none. */
  readonly numeric?: unknown;
  /** The status of our response. */
  readonly answered: number;
}

/**
 * Returns the problems of each expected delivery, in the expected order. `out-of-order`: it arrived after a delivery that was
 * expected later.
 */
export const deliveryProblems = (
  expected: readonly {
    /** An identifier that the delivery contains: the id of a plan, a report, a transaction. */
    readonly identifier: string;
    /** The time after which the delivery is late. */
    readonly due?: Date;
    /** Whether the body is the expected one. By default, any body is accepted. */
    readonly fits?: (json: unknown) => boolean;
  }[],
  deliveries: readonly Delivery[],
): ("never" | "twice" | "late" | "out-of-order" | "other-body")[][] => {
  let furthest = -1;
  return expected.map((one) => {
    const own = deliveries.filter((delivery) => carries(delivery, one.identifier));
    const [first] = own;
    if (first === undefined) return ["never"];
    const position = deliveries.indexOf(first);
    const overtaken = position < furthest;
    furthest = Math.max(furthest, position);
    const problems = [
      ["twice", own.length > 1],
      ["late", one.due !== undefined && first.receivedAt > one.due],
      ["out-of-order", overtaken],
      ["other-body", own.some(({ json }) => one.fits?.(json) === false)],
    ] as const;
    return problems.flatMap(([problem, applies]) => (applies ? [problem] : []));
  });
};

/** Whether the path, the query or a value in the body contains the identifier. */
export const carries = (delivery: Delivery, identifier: string): boolean =>
  carriedBy(delivery).has(identifier);

/** Indexes a delivery once, because waiting callers check all deliveries whenever one arrives. */
const carriedBy = memoize(({ path, json }: Delivery) => new Set([...partsOf(path), ...valuesIn(json)]));

const partsOf = (path: string): string[] => path.split(/[/?&=#]/).map(percentDecoded);

/** Yields all strings and numbers in the JSON, as text. */
function* valuesIn(json: unknown): Generator<string> {
  if (typeof json === "string" || typeof json === "number") yield String(json);
  else if (typeof json === "object" && json !== null)
    for (const value of Object.values(json)) yield* valuesIn(value);
}

/** Whether any string or number in the JSON equals the text. */
export const holdsValue = (json: unknown, text: string): boolean => {
  for (const value of valuesIn(json)) if (value === text) return true;
  return false;
};

/** Whether any string or number in the JSON equals the text in some letter case. */
export const holdsText = (json: unknown, text: string): boolean => {
  for (const value of valuesIn(json)) if (value.toLowerCase() === text.toLowerCase()) return true;
  return false;
};

/** Converts a delivery to an exchange, for reports and coverage. */
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
  isReceived: true,
});
