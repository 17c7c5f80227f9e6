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

/** @param without lower-case names of further headers to leave out */
export const forwarded = (headers: RawHeaders, without: readonly string[] = []): string[] => {
  const named = listed(headers);
  const result: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] ?? "").toLowerCase();
    if (HOP_BY_HOP.has(name) || named.has(name) || without.includes(name)) continue;
    result.push(headers[index] ?? "", headers[index + 1] ?? "");
  }
  return result;
};

/** Returns the headers that `Connection` lists. */
const listed = (headers: RawHeaders): ReadonlySet<string> => {
  const names = new Set<string>();
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() !== "connection") continue;
    for (const name of (headers[index + 1] ?? "").split(",")) names.add(name.trim().toLowerCase());
  }
  return names;
};

/** Returns lower-case names and joined values. */
export const asRecord = (headers: RawHeaders): Record<string, string> => {
  const record: Record<string, string> = {};
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] ?? "").toLowerCase();
    const value = headers[index + 1] ?? "";
    record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`;
  }
  return record;
};
