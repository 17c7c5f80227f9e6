/** Finds the line of a place in a document. */
import { EVENT_ID, type Event, getScalarValue, parseEvents } from "js-yaml";
import type { Document } from "yaml";
import { segmentsOf } from "../pointer.ts";
import { ContractError, type SourceFile } from "./source-file.ts";
import { yaml } from "./yaml.ts";

/** Returns the error for a place in a file, with the line of the nearest existing parent of the pointer. */
export const errorAt = (
  source: SourceFile,
  pointer: string,
  problem: string,
  hint: string,
): ContractError => {
  const { line, column } = locator(source.text)(pointer);
  return new ContractError(`${source.name}:${line}:${column} (${pointer || "top"}): ${problem}. ${hint}`);
};

/**
 * Returns a function that finds line and column, both from 1, of the nearest existing parent of a pointer. It parses the
 * text once.
 */
export const locator = (text: string) => {
  const offsetOf = offsetsIn(text);
  return (pointer: string) => {
    const offset = offsetOf(segmentsOf(pointer));
    const start = text.lastIndexOf("\n", offset - 1) + 1;
    return { line: linesBefore(text, start) + 1, column: offset - start + 1 };
  };
};

const linesBefore = (text: string, end: number): number => {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
};

const offsetsIn = (text: string): ((segments: readonly string[]) => number) => {
  try {
    const events = parseEvents(text, { maxDepth: 10_000 });
    return (segments) => offsetInEvents(events, text, segments);
  } catch {
    const parsed = yaml().parseDocument(text, { prettyErrors: false });
    return (segments) => offsetIn(parsed, segments);
  }
};

/** A mapping or sequence that the events are in. */
interface Level {
  readonly isMap: boolean;
  /** The number of segments that lead to it; `undefined` if the pointer does not pass through it. */
  readonly depth: number | undefined;
  /** The number of items, or of keys and values. */
  count: number;
  /** Whether the pointer passes through the value of the last key. */
  isOnWay: boolean;
}

/** Returns the offset of the last key or item of the pointer that exists. */
const offsetInEvents = (events: readonly Event[], text: string, segments: readonly string[]): number => {
  const levels: Level[] = [];
  let [best, offset] = [0, 0];
  const found = (depth: number, at: number): void => {
    if (depth > best) [best, offset] = [depth, at];
  };
  for (const event of events) {
    if (event.type === EVENT_ID.POP) levels.pop();
    else if (event.type !== EVENT_ID.DOCUMENT) {
      const parent = levels.at(-1);
      const depth = parent === undefined ? 0 : entered(parent, event, text, segments, found);
      if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE)
        levels.push({ isMap: event.type === EVENT_ID.MAPPING, depth, count: 0, isOnWay: false });
    }
  }
  return offset;
};

/** Counts a key, value or item. @returns the number of segments that lead to it; `undefined` if the pointer passes elsewhere */
const entered = (
  parent: Level,
  event: Event,
  text: string,
  segments: readonly string[],
  found: (depth: number, at: number) => void,
): number | undefined => {
  const index = parent.count;
  parent.count += 1;
  if (parent.depth === undefined) return undefined;
  const next = parent.depth + 1;
  const wanted = segments[parent.depth];
  if (!parent.isMap) {
    if (String(index) !== wanted) return undefined;
    found(next, startOf(event));
    return next;
  }
  if (index % 2 === 1) return parent.isOnWay ? next : undefined;
  parent.isOnWay = event.type === EVENT_ID.SCALAR && getScalarValue(text, event) === wanted;
  if (parent.isOnWay) found(next, startOf(event));
  return undefined;
};

const startOf = (event: Event): number => {
  if (event.type === EVENT_ID.SCALAR) return Math.max(0, event.valueStart - (event.style === 1 ? 0 : 1));
  return "start" in event ? event.start : "anchorStart" in event ? event.anchorStart : 0;
};

/** The same, for a document that only the lenient parser reads. */
const offsetIn = (parsed: Document, segments: readonly string[]): number => {
  const { isCollection, isMap } = yaml();
  for (let depth = segments.length; depth > 0; depth--) {
    const parent = depth === 1 ? parsed.contents : parsed.getIn(segments.slice(0, depth - 1), true);
    if (!isCollection(parent)) continue;
    const name = segments[depth - 1];
    const node = isMap(parent)
      ? parent.items.find((item) => String(item.key) === name)?.key
      : parent.items[Number(name)];
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range) return range[0];
  }
  return 0;
};
