/** Reads a target from a `.env.NAME` file and the environment, and rejects invalid settings. */
import { readFileSync, statSync } from "node:fs";
import { parse } from "dotenv";
import type { Service } from "../contract/contract.ts";
import { fileProblem } from "../contract/documents/file-problem.ts";
import { didYouMean, misspelled } from "../contract/nearest.ts";
import { services } from "../contract/services.ts";
import { declaredIssuer, notifyingService } from "./issuer.ts";
import { baseUrlName, configuration } from "./names.ts";
import type { Permissions, Target } from "./target.ts";

/** An error for an unusable configuration. The message names the setting, the reason and the correct form. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/**
 * Returns the text of a file that the user gave.
 * @param what a description of the file, for the message
 * @param mostMb the size above which the file is refused, in megabytes
 * @throws ConfigurationError
 */
export const readGiven = (what: string, path: string, mostMb = 64): string => {
  try {
    const { size } = statSync(path);
    if (size <= mostMb * 1_000_000) return readFileSync(path, "utf8");
    throw new Error(`it has ${Math.ceil(size / 1_000_000)} MB, and at most ${mostMb} MB are read`);
  } catch (error) {
    throw new ConfigurationError(`${what} can't be read: ${path}: ${fileProblem(error)}.`);
  }
};

/**
 * @param name name of the target; its file is `.env.<name>`, if it exists
 * @param environment environment variables, which override the file
 * @throws ConfigurationError
 */
export const loadTarget = (
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Target => {
  const file = readEnvFile(name);
  warnOfUnknown(`.env.${name}`, Object.keys(file ?? {}));
  const values: Record<string, string> = {};
  read = values;
  for (const { name: key, header } of configuration()) {
    // An empty variable overrides the file, so that a job can leave a setting out.
    const value = (environment[key] ?? file?.[key])?.trim();
    if (value && header) refuseUnsendable(key, value);
    if (value) values[key] = value;
  }
  if (file === undefined && !services().some((service) => values[baseUrlName(service)])) {
    throw new ConfigurationError(
      `Target "${name}": there is no file .env.${name} and no base URL in the environment. ` +
        `Copy .env.example to .env.${name} and set at least one of ${services().map(baseUrlName).join(", ")}.`,
    );
  }
  return externalTarget(name, values);
};

let read: Readonly<Record<string, string>> = {};

/** Returns the settings that were read last, also if they can't be used: a message about them must not show secrets. */
export const settingsRead = (): Readonly<Record<string, string>> => read;

/**
 * Warns of names in a file that are not settings. Files for several programs have other names, but a misspelled setting
 * is a limit that nobody keeps, or a key that nobody sends.
 * @throws ConfigurationError for a misspelled setting
 */
const warnOfUnknown = (file: string, names: readonly string[]): void => {
  const known = configuration().map(({ name }) => name);
  for (const name of names.filter((one) => !known.includes(one))) {
    const meant = misspelled(name, known);
    const problem = `${file}: there is no setting "${name}"`;
    if (meant.length > 0) throw new ConfigurationError(`${problem}.${didYouMean(name, meant)}`);
    process.stderr.write(`${problem}, so it is ignored. .env.example lists all settings.\n`);
  }
};

/** Checks one setting by itself. @throws ConfigurationError */
export const checkSetting = (name: string, value: string): void => {
  const setting = configuration().find((one) => one.name === name);
  if (setting?.header) refuseUnsendable(name, value);
  const target = targetOf("", { [name]: value }, false);
  requestTimeout(target);
  receiverPlace({ ...target, values: { RECEIVER_PORT: "0", ...target.values } });
};

/** Creates a target that is a server of somebody else, which gets a limited rate unless the user set another. */
export const externalTarget = (name: string, values: Readonly<Record<string, string>>): Target => {
  const target = targetOf(name, values, false);
  return { ...target, permissions: { requestsPerSecond: CAUTIOUS_RATE, ...target.permissions } };
};

/** The requests per second of all processes of a run. */
const CAUTIOUS_RATE = 10;

/** Accepts visible ASCII characters and spaces (RFC 9110, 5.5). The value may be secret, so the error omits it. */
const refuseUnsendable = (name: string, value: string): void => {
  const at = [...value].findIndex((character) => !/[ -~]/.test(character));
  if (at < 0) return;
  throw new ConfigurationError(
    `${name}: a header cannot contain character ${at + 1} of the value. Copy it again: ASCII letters, digits and signs only.`,
  );
};

/** Creates a target from known values, for example the values of the embedded sandbox. */
export const targetOf = (
  name: string,
  values: Readonly<Record<string, string>>,
  embedded: boolean,
): Target => ({ name, embedded, baseUrls: baseUrls(values), values, permissions: permissions(values) });

const readEnvFile = (name: string): Record<string, string> | undefined => {
  if (!/^[\w.-]+$/.test(name)) {
    throw new ConfigurationError(
      `Target "${name}": use letters, digits, dots and hyphens, as in .env.<name>.`,
    );
  }
  try {
    const text = readFileSync(`.env.${name}`, "utf8");
    refuseCut(`.env.${name}`, text);
    return parse(text);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigurationError(`.env.${name} can't be read: ${fileProblem(error)}`);
  }
};

/**
 * Refuses a value without quotes that a "#" in it would cut: the target would get half of a secret.
 * @throws ConfigurationError
 */
const refuseCut = (file: string, text: string): void => {
  for (const [index, line] of text.split("\n").entries()) {
    const [, name] = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*[^\s'"`#][^'"`#]*(?<=\S)#/.exec(line) ?? [];
    if (name !== undefined)
      throw new ConfigurationError(
        `${file}:${index + 1}: "#" begins a comment, so it would cut the value of ${name}: write the value in quotes.`,
      );
  }
};

const baseUrls = (values: Readonly<Record<string, string>>): Record<Service, string> => {
  const urls: Record<Service, string> = {};
  for (const service of services()) {
    const name = baseUrlName(service);
    const value = values[name];
    if (value === undefined) continue;
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
      throw new ConfigurationError(`${name}: "${value}" is not an http or https URL.`);
    }
    if (new URL(value).search || new URL(value).hash) {
      throw new ConfigurationError(`${name}: leave out everything after the path of "${value}".`);
    }
    urls[service] = value.replace(/\/+$/, "");
  }
  return urls;
};

const permissions = (values: Readonly<Record<string, string>>): Permissions => {
  const requestsPerSecond = number(values, "MAX_REQUESTS_PER_SECOND", 0.1);
  const lasting = number(values, "ALLOW_LASTING", 0);
  return {
    billableCalls: number(values, "MAX_BILLABLE_CALLS", 0) ?? 0,
    destructive: flag(values, "ALLOW_DESTRUCTIVE"),
    locking: flag(values, "ALLOW_LOCKING"),
    ...(lasting !== undefined && { lasting }),
    ...(requestsPerSecond !== undefined && { requestsPerSecond }),
  };
};

/** Returns the time limit of a response, in seconds. */
export const requestTimeout = (target: Target): number =>
  number(target.values, "REQUEST_TIMEOUT_SECONDS", 0.1) ?? 30;

/**
 * Returns the place of the receiver: only on this machine unless RECEIVER_PUBLIC_URL is set. The address of an issuer that
 * the target knows leads to the receiver as well, and any path of it.
 */
export const receiverPlace = (target: Target): { readonly publicUrl?: string; readonly port?: number } => {
  const { values } = target;
  const port = number(values, "RECEIVER_PORT", 0);
  const { RECEIVER_PUBLIC_URL: configured } = values;
  const publicUrl = configured ?? declaredIssuer(target);
  const name = configured === undefined ? notifyingService()?.issuer : "RECEIVER_PUBLIC_URL";
  if (publicUrl !== undefined && !/^https?:\/\//.test(publicUrl)) {
    throw new ConfigurationError(`${name}: "${publicUrl}" is not an http or https URL.`);
  }
  if (publicUrl !== undefined && port === undefined) {
    throw new ConfigurationError(`${name}: set RECEIVER_PORT as well, the port it leads to on this machine.`);
  }
  return { ...(publicUrl !== undefined && { publicUrl }), ...(port !== undefined && { port }) };
};

const number = (
  values: Readonly<Record<string, string>>,
  name: string,
  least: number,
): number | undefined => {
  const text = values[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < least) {
    throw new ConfigurationError(`${name}: "${text}" is not a number of at least ${least}.`);
  }
  return value;
};

const flag = (values: Readonly<Record<string, string>>, name: string): boolean => {
  const text = values[name] ?? "false";
  if (!/^(true|false|1|0|yes|no)$/i.test(text)) {
    throw new ConfigurationError(`${name}: "${text}" is neither true nor false.`);
  }
  return /^(true|1|yes)$/i.test(text);
};
