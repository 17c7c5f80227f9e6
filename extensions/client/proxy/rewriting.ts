/** Replaces addresses in texts, and in streams of any size. */

export type Rewriting = ReturnType<typeof createRewriting>;

/** For a client that uses the addresses of the target. */
export const NO_REWRITING: Rewriting = {
  text: (text) => text,
  async *stream(parts) {
    yield* parts;
  },
};

/** Addresses occur in plain text, in JSON with escaped slashes, and in URL-encoded text. */
const NOTATIONS: readonly ((url: string) => string)[] = [
  (url) => url,
  (url) => url.replaceAll("/", "\\/"),
  (url) => encodeURIComponent(url),
];

/** An address that goes on is another one: another port, or a longer name. */
const END = "(?![\\w-]|[.:]\\w|%3A\\d)";
const END_LENGTH = 4;

/** @param replacements the first one of equal addresses counts */
export const createRewriting = (replacements: readonly (readonly [from: string, to: string])[]) => {
  const known = new Map<string, string>();
  for (const [from, to] of replacements)
    for (const notation of NOTATIONS) if (!known.has(notation(from))) known.set(notation(from), notation(to));
  const all = [...known.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?:${all.map(quoted).join("|")})${END}`, "g");
  const hosts = [...new Set(replacements.map(([from]) => new URL(from).hostname))];
  const kept = (all[0]?.length ?? 0) + END_LENGTH;
  const replaced = (found: string): string => known.get(found) ?? found;
  const text = (given: string): string =>
    hosts.some((host) => given.includes(host)) ? given.replace(pattern, replaced) : given;
  return {
    text,
    /** Keeps all other bytes. Addresses may be on two parts. */
    async *stream(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      let rest = "";
      for await (const part of parts) {
        // A character for each byte, so that a part may end within a character of the text.
        rest += part.toString("latin1");
        const { before, after } = split(rest, rest.length - kept);
        if (before !== "") yield Buffer.from(before, "latin1");
        rest = after;
      }
      if (rest !== "") yield Buffer.from(split(rest, rest.length).before, "latin1");
    },
  };

  /** Replaces the addresses that begin before `end`, and keeps the text after them for later. */
  function split(given: string, end: number): { readonly before: string; readonly after: string } {
    let before = "";
    let done = 0;
    for (const { 0: found, index } of given.matchAll(pattern)) {
      if (index >= end) break;
      before += given.slice(done, index) + replaced(found);
      done = index + found.length;
    }
    const cut = Math.max(done, end);
    return { before: before + given.slice(done, cut), after: given.slice(cut) };
  }
};

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
