/**
 * Bodies that a recording does not have whole: too large, cut off by the end of a connection, left out by a tool. A
 * placeholder takes their place, so that nobody is judged by a part of a body.
 */
import { isUtf8 } from "node:buffer";

const START = "‹a body of ";

/** @param rest what else is known of the body */
export const absentBody = (size: number, rest = ""): string => `${START}${size} bytes${rest}›`;

export const isAbsent = (body: string | Buffer | undefined): boolean =>
  body
    ?.slice(0, START.length + 2)
    .toString()
    .startsWith(START) === true;

const NOT_UTF_8 = " that is not UTF-8";

/** Returns the text of a body; a placeholder for JSON that is not UTF-8, which nobody can read (RFC 8259, 8.1). */
export const textOfBody = (bytes: Buffer, type = "json"): string =>
  /json/i.test(type) && !isUtf8(bytes) ? absentBody(bytes.length, NOT_UTF_8) : bytes.toString("utf8");

export const isNotUtf8 = (text: string): boolean => isAbsent(text) && text.endsWith(`${NOT_UTF_8}›`);

/** Stands for a header that an archive shows in no request, because a tool may have left it out. */
export const LEFT_OUT = "‹left out›";
