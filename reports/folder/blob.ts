/** Reads which run a blob of the test runner is of: a ZIP file whose first entry is the list of its events. */
import { readFileSync } from "node:fs";
import { constants, inflateRawSync } from "node:zlib";
import { RUN_METADATA, type RunInfo } from "../../helpers/trials/run-info.ts";

/** @returns `undefined` if the file was cut off, or is not a blob */
export const runInBlob = (file: string): RunInfo | undefined => {
  const bytes = readFileSync(file);
  if (!bytes.subarray(0, 4).equals(ENTRY) || !bytes.subarray(-LONGEST_END).includes(END)) return undefined;
  try {
    const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
    const options = { finishFlush: constants.Z_SYNC_FLUSH };
    const text = inflateRawSync(bytes.subarray(start, start + ENOUGH), options).toString();
    const line = text.split("\n").find((one) => one.startsWith('{"method":"onConfigure"'));
    return line === undefined ? undefined : JSON.parse(line).params.config.metadata[RUN_METADATA];
  } catch {
    return undefined;
  }
};

const [ENTRY, END] = [Buffer.from("PK\x03\x04"), Buffer.from("PK\x05\x06")];

/** Bytes of the end of a ZIP file, with the longest comment. */
const LONGEST_END = 65_557;

/** Bytes that contain the first events. */
const ENOUGH = 8_388_608;
