/** Reads which run a blob of the test runner is of: a ZIP file whose first entry is the list of its events. */
import { readFileSync } from "node:fs";
import { constants, inflateRawSync } from "node:zlib";
import { RUN_METADATA, type RunInfo } from "../../helpers/trials/run-info.ts";

/** @returns `undefined` if the file was cut off, or is not a blob */
export const runInBlob = (file: string): RunInfo | undefined => {
  const bytes = readFileSync(file);
  try {
    const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
    const events = bytes.subarray(start, start + 2 ** 23);
    const text = inflateRawSync(events, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
    const [, line = ""] = /^(\{"method":"onConfigure".*)$/m.exec(text) ?? [];
    return bytes.includes("PK\x05\x06", -65_557)
      ? JSON.parse(line).params.config.metadata[RUN_METADATA]
      : undefined;
  } catch {
    return undefined;
  }
};
