/** The output of a run as text: each file, and each entry of an archive. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";

export interface Artifact {
  /** The path of the file, and of the entry inside the archive. */
  readonly path: string;
  readonly text: string;
}

export const artifactsOf = async (dir: string): Promise<Artifact[]> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const artifacts: Artifact[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    artifacts.push({ path, text: bytes.toString("utf8") });
    if (!path.endsWith(".zip")) continue;
    for (const [name, content] of unzipped(bytes)) {
      artifacts.push({ path: `${path}!${name}`, text: content.toString("utf8") });
    }
  }
  return artifacts;
};

/** Signatures of the ZIP format (APPNOTE 4.3): an entry of the central directory, and the end of the directory. */
const ENTRY = 0x02014b50;
const END = 0x06054b50;
const STORED = 0;

const unzipped = (zip: Buffer): Map<string, Buffer> => {
  let end = zip.length - 22;
  while (zip.readUInt32LE(end) !== END) end -= 1;
  const contents = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  while (zip.readUInt32LE(at) === ENTRY) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    );
    const name = zip.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    contents.set(name, zip.readUInt16LE(at + 10) === STORED ? packed : inflateRawSync(packed));
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return contents;
};
