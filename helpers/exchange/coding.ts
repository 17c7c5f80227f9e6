/** Decodes response bodies by their content coding (RFC 9110, 8.4.1). */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from "node:zlib";
import { UnknownCodingError } from "./failure.ts";

/** Some servers send a deflate stream without its zlib header, and clients accept both. */
const inflateAny = (body: Buffer, options: ZlibOptions): Buffer => {
  // The low half of the first byte of a zlib header is 8, the method deflate (RFC 1950, 2.2).
  const hasHeader = body.length > 1 && (body.readUInt8(0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
  return (hasHeader ? inflateSync : inflateRawSync)(body, options);
};

const DECODERS: Readonly<Record<string, typeof inflateAny>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateAny,
  br: brotliDecompressSync,
};

/** The codings that a request may ask for. */
export const CODINGS = "gzip, deflate, br";

/** Returns the codings of a body in the order in which they were applied. @param header the value of `content-encoding` */
export const codingsIn = (header = ""): string[] =>
  header
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");

export interface Decoded {
  readonly body: Buffer;
  /** The coding that the body does not have, although the response declares it. */
  readonly wrongCoding?: string;
}

/**
 * Returns the decoded body. A body that does not have its coding stays as it is.
 * @param header the value of `content-encoding`
 * @throws RangeError when the decoded body exceeds the limit, UnknownCodingError for another coding
 */
export const decoded = (body: Buffer, header: string | undefined, limitBytes: number): Decoded => {
  if (header === undefined || body.length === 0) return { body };
  const codings = codingsIn(header);
  let content = body;
  for (const coding of codings.toReversed()) {
    const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    if (decode === undefined) throw new UnknownCodingError(coding);
    try {
      content = decode(content, { maxOutputLength: limitBytes });
    } catch (error) {
      if (error instanceof RangeError) throw error;
      return { body, wrongCoding: coding };
    }
  }
  return { body: content };
};
