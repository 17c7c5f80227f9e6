/** Reads answers that come before the end of a request. */
import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import { readingPermittedAnswers } from "../../../helpers/exchange/connections.ts";

/**
 * Opens connections on which an answer is read although the server no longer reads the request. Undici gives up a
 * connection at the first failed write, and then loses an answer that came before the end of an upload.
 */
export const readingEarlyAnswers = (options: buildConnector.BuildOptions): buildConnector.connector =>
  readingPermittedAnswers(options, ignoreRefusedWrites);

const ignoreRefusedWrites = (socket: Socket): void => {
  const { _write: write, _writev: writeMany } = socket;
  socket._write = (chunk, encoding, done) => write.call(socket, chunk, encoding, unlessRefused(done));
  socket._writev = (chunks, done) => writeMany?.call(socket, chunks, unlessRefused(done));
};

type Done = (error?: NodeJS.ErrnoException | null) => void;

const unlessRefused =
  (done: Done): Done =>
  (error) =>
    done(["EPIPE", "ECONNRESET"].includes(error?.code ?? "") ? null : error);
