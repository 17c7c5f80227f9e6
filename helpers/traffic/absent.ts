/**
 * Bodies that a recording does not have whole: too large, cut off by the end of a connection, left out by a tool. A
 * placeholder takes their place, so that nobody is judged by a part of a body.
 */

const START = "‹a body of ";

/** @param rest what else is known of the body */
export const absentBody = (size: number, rest = ""): string => `${START}${size} bytes${rest}›`;

export const isAbsent = (body: string | Buffer | undefined): boolean =>
  body
    ?.slice(0, START.length + 2)
    .toString()
    .startsWith(START) === true;

/** Stands for a header that an archive shows in no request, because a tool may have left it out. */
export const LEFT_OUT = "‹left out›";
