/** The headers of one connection, which a proxy does not forward (RFC 9110, 7.6.1). */

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** Names and values in turns, as Node gives them. */
export type RawHeaders = readonly string[];

const pairsIn = (headers: RawHeaders): [name: string, value: string][] =>
  headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ""]] : []));

/** @param without lower-case names of further headers to leave out */
export const forwarded = (headers: RawHeaders, without: readonly string[] = []): string[] => {
  const dropped = new Set([...HOP_BY_HOP, ...listed(headers), ...without]);
  return pairsIn(headers)
    .filter(([name]) => !dropped.has(name.toLowerCase()))
    .flat();
};

/** Returns the headers that `Connection` lists. */
const listed = (headers: RawHeaders): string[] =>
  (asRecord(headers).connection ?? "").split(",").map((name) => name.trim().toLowerCase());

/** Replaces the values of some headers. @param change returns the other value */
export const withValues = (headers: RawHeaders, names: RegExp, change: (value: string) => string): string[] =>
  pairsIn(headers).flatMap(([name, value]) => [name, names.test(name) ? change(value) : value]);

/** Returns lower-case names and joined values. */
export const asRecord = (headers: RawHeaders): Record<string, string> => {
  const record: Record<string, string> = {};
  for (const [raw, value] of pairsIn(headers)) {
    const name = raw.toLowerCase();
    record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`;
  }
  return record;
};
