/** Reads a recording for a sandbox that plays it: the log of the proxy, or an HTTP archive. */
import type { Contract } from "../../helpers/contract/contract.ts";
import { createRedactor } from "../../helpers/exchange/redact.ts";
import { isPlaceholder } from "../../helpers/traffic/masks.ts";
import { findBases, readTraffic, startReading } from "../../helpers/traffic/read.ts";
import type { Seen } from "../../helpers/traffic/seen.ts";
import { HIDDEN, type Recorded, type RecordedCall } from "../../mocks/engine/recorded.ts";

/** @throws ConfigurationError when the file can't be read, or is neither a log nor an archive */
export const recordedIn = async (file: string, contracts: readonly Contract[]): Promise<Recorded> => {
  const baseUrls = await findBases([file], contracts);
  const redactor = createRedactor({}, contracts);
  const calls: RecordedCall[] = [];
  for await (const seen of readTraffic([file], contracts, baseUrls, startReading(), redactor)) {
    const call = callOf(seen);
    if (call !== undefined) calls.push(call);
  }
  return { calls, baseUrls };
};

/** Returns `undefined` for an exchange without a whole answer, and one whose answer an exercise changed. */
const callOf = ({
  service,
  operation,
  path,
  query,
  body,
  exchange,
  exercises,
}: Seen): RecordedCall | undefined => {
  const { request, response } = exchange;
  if (operation === undefined || response === undefined || exercises.length > 0) return undefined;
  const text = response.body.toString("utf8");
  // A body that is not JSON may be cut.
  if (response.json === undefined && text !== "") return undefined;
  if (Object.values(path).some(isPlaceholder)) return undefined;
  return {
    ...{ service, operation, status: response.status },
    path,
    query: [...query].map(([name, value]) => [name, isPlaceholder(value) ? HIDDEN : value]),
    body: request.body === undefined || request.body === "" ? undefined : hidden(body ?? request.body),
    headers: Object.fromEntries(
      Object.entries(response.headers).filter(([name, value]) => !OWN.test(name) && !isPlaceholder(value)),
    ),
    json: hidden(response.json),
    ...(isPlaceholder(text) ? { large: largeIn(text) } : { text }),
  };
};

/** Returns the integers in JSON that a double does not hold. The JSON of an exchange has them as texts. */
const largeIn = (text: string): ReadonlySet<string> =>
  new Set((text.match(TOKEN) ?? []).filter((token) => !token.startsWith('"')));

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/** Puts `HIDDEN` in place of the values that the recording hides. */
const hidden = (value: unknown): unknown => {
  if (typeof value === "string") return isPlaceholder(value) ? HIDDEN : value;
  if (Array.isArray(value)) return value.map(hidden);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hidden(inner)]));
};

/** The headers that belong to one connection, one message or one server. */
const OWN =
  /^(connection|keep-alive|transfer-encoding|content-(length|encoding|type)|date|server|set-cookie|etag|vary|via|age|trailer|upgrade|access-control-.*|strict-transport-security)$/;
