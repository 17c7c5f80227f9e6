/**
 * Reads the entries of an archive in order of time, as its format asks of readers (HAR 1.2, log.entries). The archive is
 * read twice: first the times and the names of headers, then the entries.
 */
import { getOrInsert } from "../contract/memoize.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { LEFT_OUT } from "./absent.ts";
import { type HarEntry, headersOf, textIn } from "./har.ts";
import { createEntryReader } from "./har-entries.ts";
import type { Match } from "./match.ts";
import { objectIn, partsOf } from "./parts.ts";

export const openArchive = async (file: string) => {
  const starts: number[] = [];
  const shown = new Map<string, Set<string>>();
  for await (const text of entriesIn(file)) {
    const { startedDateTime, request } = objectIn<HarEntry>(text) ?? {};
    const start = Date.parse(textIn(startedDateTime) ?? "");
    // An entry without a time stays after the one before it.
    starts.push(Number.isNaN(start) ? (starts.at(-1) ?? 0) : start);
    const url = textIn(request?.url) ?? "";
    if (!URL.canParse(url)) continue;
    const names = getOrInsert(shown, new URL(url).origin, () => new Set<string>());
    for (const name of Object.keys(headersOf(request?.headers))) names.add(name);
  }
  return {
    /** Returns the texts of the entries, the earliest first. @param onProblem receives what is wrong with the archive */
    entries: (onProblem: (problem: string) => void) => sorted(entriesIn(file, onProblem), starts),
    /** Returns the headers that a request needs, and that the archive shows in no request to that origin. */
    leftOut({ request }: Exchange, match: Match): readonly string[] {
      const names = shown.get(new URL(request.url).origin);
      return neededHeaders(match).filter((name) => names?.has(name) !== true);
    },
  };
};

/** Returns an HTTP exchange with placeholders for headers that a tool may have left out. */
export const withLeftOut = (exchange: Exchange, names: readonly string[]): Exchange => {
  const { request } = exchange;
  const headers = Object.fromEntries(names.map((name) => [name, LEFT_OUT]));
  return { ...exchange, request: { ...request, headers: { ...request.headers, ...headers } } };
};

const neededHeaders = ({ operation, securitySchemes }: Match): string[] => [
  ...securitySchemes.flatMap(({ name, header }) =>
    operation?.security.includes(name) ? [header.toLowerCase()] : [],
  ),
  ...(operation?.parameters ?? []).flatMap(({ in: place, name }) =>
    place === "header" ? [name.toLowerCase()] : place === "cookie" ? ["cookie"] : [],
  ),
];

/** Keeps an entry until all earlier ones have passed. */
async function* sorted(texts: AsyncIterable<string>, starts: readonly number[]): AsyncGenerator<string> {
  const order = starts.map((_, index) => index).sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0));
  const kept = new Map<number, string>();
  let read = 0;
  let passed = 0;
  for await (const text of texts) {
    kept.set(read, text);
    read += 1;
    for (;;) {
      const next = order[passed] ?? -1;
      const due = kept.get(next);
      if (due === undefined) break;
      kept.delete(next);
      passed += 1;
      yield due;
    }
  }
}

/** Returns the texts of the entries in their order in the file, up to the end or to a problem. */
export async function* entriesIn(
  file: string,
  onProblem: (problem: string) => void = () => {},
): AsyncGenerator<string> {
  const reader = createEntryReader();
  try {
    for await (const part of await partsOf(file)) yield* reader.add(part as Buffer);
  } catch (error) {
    onProblem((error as Error).message);
  }
  const problem = reader.problem();
  if (problem !== undefined) onProblem(problem);
}
