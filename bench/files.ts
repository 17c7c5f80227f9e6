/** A folder with the files of one benchmark. */
import { generateKeyPair } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../helpers/contract/process-end.ts";

export interface BenchFiles extends AsyncDisposable {
  /** A PEM file with the key for cards, which all sandboxes of the benchmark share. */
  readonly key: string;
  /** Writes JSON. @returns the path */
  write(name: string, content: unknown): Promise<string>;
}

export const benchFiles = async (): Promise<BenchFiles> => {
  const folder = temporaryFolder("bench");
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
