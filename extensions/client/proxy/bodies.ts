/** Bodies on their way: read as a whole if they are small, decoded, and rewritten in their content coding. */
import { isUtf8 } from "node:buffer";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { codingsIn, type Decoded, decoded } from "../../../helpers/exchange/coding.ts";
import { absentBody } from "../../../helpers/traffic/absent.ts";
import { asRecord, forwarded, type Reply } from "./reply.ts";
import { type Tap, tapped } from "./tap.ts";

/** A body up to this number of bytes is read as a whole if it may have to be changed. */
export const LARGEST_CHANGED = 8_388_608;
const DECODED_MOST = 67_108_864;

/**
 * Reads a body up to a limit.
 * @returns a body that was read as a whole, or the stream of a larger one
 * @throws the error of the source; the bytes before it are in the tap
 */
export const gather = async (
  source: AsyncIterable<Buffer>,
  tap: Tap,
): Promise<{ readonly whole: Buffer } | { readonly stream: AsyncGenerator<Buffer> }> => {
  const rest = tapped(source, tap);
  const start: Buffer[] = [];
  for (let size = 0; size <= LARGEST_CHANGED; ) {
    const { done, value } = await rest.next();
    if (done) return { whole: start.length === 1 ? (start[0] as Buffer) : Buffer.concat(start) };
    start.push(value);
    size += value.length;
  }
  return { stream: continued(start, rest) };
};

async function* continued(start: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* start;
  yield* rest;
}

const CODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
};

/** Whether the bytes of a body are its text. */
export const isPlain = (coding: string | undefined): boolean => codingsIn(coding).length === 0;

/** Returns the decoded body; a placeholder if its coding is unknown, or if it is too large. */
export const contentOf = (bytes: Buffer, coding: string | undefined): Decoded => {
  if (coding === undefined) return { body: bytes };
  try {
    if (codingsIn(coding).every((one) => one in CODERS)) return decoded(bytes, coding, DECODED_MOST);
  } catch {
    // Too large.
  }
  return { body: Buffer.from(absentBody(bytes.length, `, ${coding}`)) };
};

/** Changes the text of a body, and keeps its coding. Returns the same bytes if nothing changes. */
export const withText = async (
  bytes: Buffer,
  coding: string | undefined,
  change: (text: string) => string | Promise<string>,
): Promise<Buffer> => {
  const codings = codingsIn(coding);
  const { body, wrongCoding } = contentOf(bytes, coding);
  if (wrongCoding !== undefined || !isUtf8(body) || !codings.every((one) => one in CODERS)) return bytes;
  const text = body.toString("utf8");
  const changed = await change(text);
  if (changed === text) return bytes;
  let coded: Buffer = Buffer.from(changed);
  for (const one of codings) coded = CODERS[one]?.(coded) ?? coded;
  return coded;
};

/** Changes the text of the body of a reply. Returns the same reply if nothing changes. */
export const replyWithText = async (
  reply: Reply,
  change: (text: string) => string | Promise<string>,
): Promise<Reply> => {
  const body = await withText(reply.body, codingOf(reply), change);
  return body === reply.body
    ? reply
    : { ...reply, headers: forwarded(reply.headers, ["content-length"]), body };
};

/** Returns the decoded text of the body of a reply. */
export const textOf = (reply: Reply): string => contentOf(reply.body, codingOf(reply)).body.toString("utf8");

const codingOf = ({ headers }: Reply): string | undefined => asRecord(headers)["content-encoding"];
