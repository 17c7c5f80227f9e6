/**
 * Lets undici read two answers that HTTP permits and undici takes for broken: an interim answer 100 that nobody asked for
 * (RFC 9110, 15.2), and a 304 with the length of the content that it does not have (RFC 9110, 8.6).
 */
import type { Socket } from "node:net";
import { buildConnector } from "undici";

/** Opens connections for such answers. @param prepare runs with the socket of each */
export const readingPermittedAnswers = (
  options: buildConnector.BuildOptions,
  prepare: (socket: Socket) => void = () => {},
): buildConnector.connector => {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...opened) => {
      const [error, socket] = opened;
      if (error === null) {
        readPermittedAnswers(socket);
        prepare(socket);
      }
      callback(...opened);
    });
};

/** Takes interim answers 100, and the length of a 304, out of what arrives on a connection. It has no pipelining. */
const readPermittedAnswers = (socket: Socket): void => {
  const { read, write } = socket;
  /** The start of an answer; `undefined` after it. */
  let start: Buffer | undefined;
  socket.write = (...args: unknown[]): boolean => {
    const [text] = args;
    if (typeof text === "string" && text.includes(" HTTP/1.1\r\n")) start = Buffer.alloc(0);
    return write.apply(socket, args as Parameters<Socket["write"]>);
  };
  socket.read = (size) => {
    const bytes: Buffer | null = read.call(socket, size);
    if (bytes === null || start === undefined) return bytes;
    const known = Buffer.concat([start, bytes]);
    const readable = readableStart(known);
    start = readable === undefined ? known : undefined;
    return readable ?? null;
  };
};

/** @returns `undefined` if more has to arrive first */
const readableStart = (bytes: Buffer): Buffer | undefined => {
  if (!mayBeginAs(bytes.toString("latin1", 0, 12))) return bytes;
  const text = bytes.toString("latin1").replace(CONTINUES, "");
  const isWhole = !mayBeginAs(text) || text.length > LONGEST || /\r?\n\r?\n/.test(text);
  return isWhole ? Buffer.from(text.replace(NOT_MODIFIED, withoutLength), "latin1") : undefined;
};

const mayBeginAs = (text: string): boolean =>
  ["HTTP/1.1 100", "HTTP/1.0 100", "HTTP/1.1 304", "HTTP/1.0 304"].some((start) =>
    text.length < start.length ? start.startsWith(text) : text.startsWith(start),
  );

const CONTINUES = /^(?:HTTP\/1\.[01] 100(?: [^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\n)+/;

const NOT_MODIFIED = /^HTTP\/1\.[01] 304[\s\S]*?\r\n\r\n/;

const withoutLength = (head: string): string => head.replaceAll(/\r\ncontent-length:[^\r\n]*/gi, "");

/** The longest head of an answer that is searched. */
const LONGEST = 16_384;
