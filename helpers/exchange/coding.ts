/** Decodes response bodies by their content coding (RFC 9110, 8.4.1). */
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

const DECODERS = { gzip: gunzipSync, "x-gzip": gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** The codings that a request may ask for. */
export const CODINGS = "gzip, deflate, br";

/**
 * Returns the decoded body. A body that its coding does not fit, and one of an unknown coding, stay as they are.
 * @param header the value of `content-encoding`
 * @throws RangeError when the decoded body exceeds the limit
 */
export const decoded = (body: Buffer, header: string | undefined, limitBytes: number): Buffer => {
  const codings = (header ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  try {
    return codings.reduceRight(
      (content, coding) => decoderOf(coding)(content, { maxOutputLength: limitBytes }),
      body,
    );
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return body;
  }
};

const decoderOf = (coding: string) => {
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding as keyof typeof DECODERS] : undefined;
  if (decoder === undefined) throw new Error(`unknown content coding ${coding}`);
  return decoder;
};
