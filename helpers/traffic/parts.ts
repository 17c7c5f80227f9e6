/** Reads files of recorded traffic in parts, so that their size does not matter. Decompresses gzip. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { fileProblem } from "../contract/documents/file-problem.ts";
import { ConfigurationError } from "../target/load-target.ts";

/** @throws ConfigurationError when the file can't be read, or is a ZIP file */
export const partsOf = async (file: string): Promise<Readable> => {
  const first = await firstBytes(file);
  if (first.subarray(0, 4).equals(ZIP)) {
    throw new ConfigurationError(
      `${file} is a ZIP file: unzip it, and give the archive (HAR) in its folder, with the files beside it.`,
    );
  }
  const isCompressed = first.subarray(0, 2).equals(GZIP);
  const source = createReadStream(file);
  return isCompressed ? source.pipe(createGunzip()) : source;
};

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from("PK\u0003\u0004");

const firstBytes = async (file: string): Promise<Buffer> => {
  try {
    const handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    await handle.close();
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw new ConfigurationError(`${file} can't be read: ${fileProblem(error)}`);
  }
};

/** Returns the lines of a file, without an incomplete last line. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const part of await partsOf(file)) {
    const lines = (rest + decoder.decode(part as Buffer, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield line;
  }
}

/** Returns the object in a JSON text; `undefined` when there is none. */
export const objectIn = <Value extends object>(text: string): Value | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Value) : undefined;
  } catch {
    return undefined;
  }
};
