/** The file in which a sandbox keeps its state between two starts. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { valueOfJson } from "../../../helpers/contract/json.ts";
import type { SandboxData } from "../data/data.ts";
import { SettingsError } from "../data/data-error.ts";
import { isObject } from "../values/fields.ts";
import { isTenantImage, type TenantImage } from "./tenant-image.ts";

export interface KeptState {
  readonly format: typeof FORMAT;
  readonly services: readonly string[];
  /** The data that the sandbox started with. */
  readonly data: SandboxData;
  readonly tenants: readonly (TenantImage & {
    readonly name: string;
    /** The options with which it was opened. */
    readonly wishes: object;
  })[];
}

export const FORMAT = "sandbox-state/1";

/**
 * @returns `undefined` when there is no such file yet
 * @throws SettingsError when the file does not hold a state of these services
 */
export const readState = (file: string, services: readonly string[]): KeptState | undefined => {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new SettingsError(`${file}: it cannot be read (${code}).`);
  }
  const value = valueOfJson(text);
  if (!isKeptState(value))
    throw new SettingsError(`${file}: it is no state of a sandbox. Choose another file.`);
  const own = [...value.services].sort().join(",");
  if (own !== [...services].sort().join(","))
    throw new SettingsError(
      `${file}: it is the state of other services. Start with --service ${own}, or choose another file.`,
    );
  return value;
};

const isKeptState = (value: unknown): value is KeptState =>
  isObject(value) &&
  value.format === FORMAT &&
  isObject(value.data) &&
  Array.isArray(value.services) &&
  Array.isArray(value.tenants) &&
  value.tenants.every(isTenantImage);

/** Milliseconds from a change until it is written, unless writing itself takes long. */
const SOON = 50;

export const stateFile = (file: string, state: () => KeptState) => {
  let timer: NodeJS.Timeout | undefined;
  let pause = SOON;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const started = performance.now();
    // A reader, or a process that is killed here, sees the old file or the new one, but never a part of one.
    writeFileSync(`${file}.new`, JSON.stringify(state()), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    pause = Math.max(SOON, 10 * (performance.now() - started));
  };
  return {
    /** Writes the file now. @throws Error when it cannot be written */
    write,
    /** Writes the file soon. */
    changed: () => {
      timer ??= setTimeout(() => {
        try {
          write();
        } catch (error) {
          process.stderr.write(`The state was not written: ${(error as Error).message}\n`);
        }
      }, pause);
    },
  };
};
