/** Encrypts bodies of requests and decrypts bodies of responses, as compact JWE (RFC 7516), where it is configured. */
import { openJwe, sealJwe } from "../contract/compact-jwe.ts";
import { atPointer } from "../contract/pointer.ts";
import type { ReceivedResponse } from "../exchange/exchange.ts";
import { jsonOf } from "../exchange/json-of.ts";
import { applyEdit } from "../generate/edit.ts";
import type { SealedPlaces, Sealing } from "./gateway.ts";

/** Returns the places of an operation; the row `*` is for operations without a row. */
export const placesOf = ({ operations }: Sealing, operationId: string): SealedPlaces =>
  operations[operationId] ?? operations["*"] ?? {};

/** Returns the bytes of the request with its encrypted parts. A body that is not JSON can only be encrypted as a whole. */
export const sealed = async (
  sealing: Sealing,
  operationId: string,
  bytes: string | Buffer,
): Promise<string | Buffer> => {
  const { publicKey } = sealing;
  const places = Object.entries(placesOf(sealing, operationId).request ?? {});
  if (publicKey === undefined || places.length === 0) return bytes;
  const encrypt = (plain: string | Buffer): Promise<string> => sealJwe(plain, publicKey, sealing);
  let { json: body } = jsonOf(Buffer.from(bytes));
  for (const [from, to] of places) {
    if (from === "") {
      const whole = body === undefined || places.length === 1 ? bytes : JSON.stringify(body);
      body = applyEdit({}, { pointer: to, value: await encrypt(whole) });
      continue;
    }
    const plain = atPointer(body, from);
    if (plain === undefined) continue;
    const token = await encrypt(JSON.stringify(plain));
    body = applyEdit(applyEdit(body, { pointer: from, remove: true }), { pointer: to, value: token });
  }
  return body === undefined ? bytes : JSON.stringify(body);
};

/** Returns the response with its decrypted parts. @throws Error when a part can't be decrypted */
export const opened = async (
  sealing: Sealing,
  operationId: string,
  response: ReceivedResponse,
): Promise<ReceivedResponse> => {
  const { privateKey, strict } = sealing;
  const places = Object.entries(placesOf(sealing, operationId).response ?? {});
  if (privateKey === undefined || places.length === 0) return response;
  let { json: body } = response;
  let text: string | undefined;
  const oddities = new Set<string>();
  for (const [from, to] of places) {
    const token = atPointer(body, from);
    // A gateway may answer errors without encryption.
    if (typeof token !== "string" || token.split(".").length !== 5) continue;
    const { plain, difference } = await openJwe(token, privateKey);
    if (difference !== undefined && strict) throw new Error(difference);
    if (difference !== undefined) oddities.add(`encrypted with ${difference}`);
    text = to === "" ? plain.toString() : undefined;
    const value = jsonOf(plain).json;
    body =
      to === "" ? value : applyEdit(applyEdit(body, { pointer: from, remove: true }), { pointer: to, value });
    if (to !== "") text = JSON.stringify(body);
  }
  if (text === undefined) return response;
  const bytes = Buffer.from(text);
  const parsed = jsonOf(bytes);
  const all = [...(parsed.oddities ?? []), ...oddities];
  const { status, headers } = response;
  return { status, headers, body: bytes, ...parsed, ...(all.length > 0 && { oddities: all }) };
};
