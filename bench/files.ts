/** A folder with the files of one benchmark. */
import { generateKeyPair } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface BenchFiles extends AsyncDisposable {
  /** A PEM file with the key for cards, which all sandboxes of the benchmark share. */
  readonly key: string;
  /** Writes JSON. @returns the path */
  write(name: string, content: unknown): Promise<string>;
}

export const benchFiles = async (): Promise<BenchFiles> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const key = join(folder, "key.pem");
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  await writeFile(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  return {
    key,
    write: async (name, content) => {
      const path = join(folder, name);
      await writeFile(path, JSON.stringify(content));
      return path;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
};
