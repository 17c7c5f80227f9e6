/** Makes texts that match a simple regular expression: characters, classes, groups, alternatives and repetitions. */
import { expressionOf } from "../../../helpers/contract/schemas/expressions.ts";
import type { Random } from "./random.ts";

/**
 * @param repeated how often a part is repeated that may be repeated without limit
 * @returns `undefined` when the expression has a part that is not supported
 */
export const textMatching = (pattern: string, random: Random, repeated = 0): string | undefined => {
  try {
    const reader = { rest: pattern.replace(/^\^/, ""), random, repeated };
    const text = alternatives(reader);
    return reader.rest === "" ? text : undefined;
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined;
    throw error;
  }
};

interface Reader {
  rest: string;
  readonly random: Random;
  readonly repeated: number;
}

class UnsupportedError extends Error {
  override readonly name = "UnsupportedError";
}

const taken = (reader: Reader, pattern: RegExp): RegExpExecArray | undefined => {
  const found = pattern.exec(reader.rest);
  if (found === null) return undefined;
  reader.rest = reader.rest.slice(found[0].length);
  return found;
};

const alternatives = (reader: Reader): string => {
  const all = [sequence(reader)];
  while (taken(reader, /^\|/)) all.push(sequence(reader));
  return reader.random.pick(all);
};

const sequence = (reader: Reader): string => {
  let text = "";
  while (reader.rest !== "" && !/^[)|]/.test(reader.rest)) {
    if (taken(reader, /^\$/)) continue;
    const start = reader.rest;
    atom(reader);
    const source = start.slice(0, start.length - reader.rest.length);
    const count = repetition(reader);
    for (let made = 0; made < count; made++) text += atom({ ...reader, rest: source });
  }
  return text;
};

const repetition = (reader: Reader): number => {
  if (taken(reader, /^\*\??/)) return reader.repeated;
  if (taken(reader, /^\?\??/)) return 0;
  if (taken(reader, /^\+\??/)) return Math.max(1, reader.repeated);
  return Number(taken(reader, /^\{(\d+)(,\d*)?\}/)?.[1] ?? 1);
};

const CLASSES: Readonly<Record<string, string>> = { d: "0123456789", w: "abcdefgh", s: " " };
const PRINTABLE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.";

const atom = (reader: Reader): string => {
  if (taken(reader, /^\((\?:)?(?!\?)/)) {
    const text = alternatives(reader);
    if (!taken(reader, /^\)/)) throw new UnsupportedError();
    return text;
  }
  const escaped = taken(reader, /^\\([^pPbBkux0-9DWS])/)?.[1];
  if (escaped !== undefined) return reader.random.pick([...(CLASSES[escaped] ?? escaped)]);
  const set = taken(reader, /^\[(\^?)((?:\\.|[^\]\\])+)\]/);
  if (set !== undefined) return reader.random.pick(members(set[1] === "^", set[2] ?? ""));
  if (taken(reader, /^\./)) return reader.random.pick([...PRINTABLE]);
  const [plain] = taken(reader, /^[^\\()[\]{}*+?^$|]/) ?? [];
  if (plain === undefined) throw new UnsupportedError();
  return plain;
};

const members = (isNegated: boolean, source: string): string[] => {
  const pattern = expressionOf(`[${isNegated ? "^" : ""}${source}]`);
  if (pattern === undefined) throw new UnsupportedError();
  const found = [...PRINTABLE, ..."!#$%&'()*+,/:;<=>?@[]^{|}~"].filter((character) =>
    pattern.test(character),
  );
  if (found.length === 0) throw new UnsupportedError();
  return found;
};
