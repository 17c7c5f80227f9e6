/** Notes which parts of an exchange a trial reads, so that only these are changed. */
import type { Exchange } from "../../exchange/exchange.ts";
import { reduced } from "./effort.ts";
import type { Path } from "./values.ts";

export interface Reads {
  duration: boolean;
  body: boolean;
  /** Names of headers. */
  readonly headers: Set<string>;
  /** Places in the JSON body. */
  readonly places: Set<string>;
}

export const placeKey = (path: Path): string => path.join("/");

/** Notes the reads of all exchanges. */
export class ReadingNotes {
  readonly #notes = new Map<Exchange, Reads>();
  readonly #watched = new Map<Exchange, Exchange>();

  of(exchange: Exchange): Reads | undefined {
    return this.#notes.get(exchange);
  }

  /** Returns a copy of the exchange that notes what is read of it. */
  watch(exchange: Exchange): Exchange {
    const known = this.#watched.get(exchange);
    if (known !== undefined) return known;
    const few = reduced(exchange);
    const isLarge = (few.response?.body.length ?? 0) > LARGE;
    const reads: Reads = { duration: false, body: isLarge, headers: new Set(), places: new Set() };
    const watched = watchedCopy(few, reads, isLarge);
    this.#notes.set(exchange, reads);
    this.#watched.set(exchange, watched);
    return watched;
  }
}

/** The size of a body, in bytes, that would take too long to watch: all of it counts as read. */
const LARGE = 30_000;

const watchedCopy = (exchange: Exchange, reads: Reads, isLarge: boolean): Exchange => {
  const { response, durationMs } = exchange;
  return {
    ...exchange,
    get durationMs() {
      reads.duration = true;
      return durationMs;
    },
    ...(response !== undefined && {
      response: {
        status: response.status,
        headers: new Proxy(response.headers, {
          get(headers, name: string) {
            reads.headers.add(name);
            return headers[name];
          },
          has(headers, name: string) {
            reads.headers.add(name);
            return name in headers;
          },
          ownKeys(headers) {
            for (const name of Object.keys(headers)) reads.headers.add(name);
            return Reflect.ownKeys(headers);
          },
        }),
        get body() {
          reads.body = true;
          return response.body;
        },
        json: isLarge ? response.json : watchedJson(response.json, [], reads),
        ...("numeric" in response && { numeric: response.numeric }),
      },
    }),
  };
};

const watchedJson = (json: unknown, path: Path, reads: Reads): unknown => {
  if (typeof json !== "object" || json === null) {
    if (path.length === 0) reads.places.add("");
    return json;
  }
  const children = new Map<string, unknown>();
  return new Proxy(json, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof key === "symbol" || typeof value === "function") {
        reads.places.add(placeKey(path));
        return value;
      }
      const place = [...path, key];
      reads.places.add(placeKey(path));
      reads.places.add(placeKey(place));
      if (typeof value !== "object" || value === null) return value;
      const known = children.get(key) ?? watchedJson(value, place, reads);
      children.set(key, known);
      return known;
    },
    ownKeys(target) {
      reads.places.add(placeKey(path));
      return Reflect.ownKeys(target);
    },
  });
};
