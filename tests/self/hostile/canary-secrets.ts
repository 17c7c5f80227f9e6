/** A canary for every secret, the encodings in which a server repeats them, and the search for both. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { services } from "../../../helpers/contract/services.ts";
import { baseUrlName, configuration, gatewaySetting } from "../../../helpers/target/names.ts";
import { type Artifact, artifactsOf } from "../support/artifacts.ts";
import type { Ended } from "../support/command.ts";
import type { Misbehave } from "./hostile-server.ts";
import { JSON_TYPE } from "./mode.ts";

const canaryOf = (name: string, index: number): string =>
  `Zq${index}/Canary+Key-${name.length}_${"wxyz".repeat(3)}${index}Aa1!`;

/** A different canary for each secret setting that is a plain text and needs no other setting. */
const SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  configuration()
    .filter(
      ({ name, secret }) => secret && !/ENCRYPTION|CERTIFICATE|PASSWORD|PROXY|CONSUMER|HEADERS/.test(name),
    )
    .map(({ name }, index) => [name, canaryOf(name, index)]),
);

/** A canary in the fixed headers of each service. */
const HEADERS: Readonly<Record<string, string>> = Object.fromEntries(
  services().map((service, index) => [gatewaySetting(service, "HEADERS"), canaryOf(service, 50 + index)]),
);

export const SECRETS = { ...SETTINGS, ...HEADERS };

/** The settings that contain the canaries. */
export const SECRET_SETTINGS = {
  ...SETTINGS,
  ...Object.fromEntries(
    Object.entries(HEADERS).map(([name, secret]) => [name, JSON.stringify({ "x-fixed": secret })]),
  ),
};

const each = (text: string, form: (code: number) => string): string =>
  [...text].map((character) => form(character.charCodeAt(0))).join("");

/** The encodings in which the server repeats a secret. */
export const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  "base64, offset 0": (secret) => Buffer.from(secret).toString("base64"),
  "base64, offset 1": (secret) => Buffer.from(`x${secret}y`).toString("base64"),
  "base64, offset 2": (secret) => Buffer.from(`xx${secret}yy`).toString("base64"),
  base64url: (secret) => Buffer.from(`{"a":"${secret}"}`).toString("base64url"),
  hexadecimal: (secret) => Buffer.from(secret).toString("hex"),
  percent: encodeURIComponent,
  "percent, each character": (secret) => each(secret, (code) => `%${code.toString(16)}`),
  HTML: (secret) => each(secret, (code) => `&#${code};`),
  JSON: (secret) => each(secret, (code) => `\\u00${code.toString(16).padStart(2, "0")}`),
  "upper case": (secret) => secret.toUpperCase(),
  "over lines": (secret) => secret.replaceAll(/.{9}/g, "$&\n"),
};

/** Returns the part of an encoded text that does not depend on its neighbours. */
const needleOf = (text: string): string => text.slice(4, -8);

const NEEDLES = Object.entries(SECRETS).flatMap(([name, secret]) =>
  Object.entries(ENCODINGS).map(([encoding, encode]) => ({
    name,
    encoding,
    needle: needleOf(encode(secret)),
  })),
);

export const leaksIn = (artifacts: readonly Artifact[]): string[] =>
  artifacts.flatMap(({ path, text }) =>
    NEEDLES.filter(
      ({ needle }) => text.includes(needle) || text.includes(JSON.stringify(needle).slice(1, -1)),
    ).map(({ name, encoding }) => `${path}: ${name} in ${encoding}`),
  );

export const echoes = (): string =>
  Object.values(SECRETS)
    .flatMap((secret) => Object.values(ENCODINGS).map((encode) => encode(secret)))
    .join(" | ");

/** Repeats all secrets, with different statuses and in different places. */
export const echoing: Misbehave = ({ index }) => {
  const said = echoes();
  const status = [200, 400, 401, 500, 201][index % 5] ?? 200;
  const body = {
    message: said,
    token: "a-token-of-the-server",
    details: [{ source: said }],
    [said.slice(0, 400)]: 1,
  };
  return {
    status,
    headers: { ...JSON_TYPE, "x-said": said.replaceAll("\n", " ") },
    body: JSON.stringify(body),
  };
};

/**
 * Answers as a correct server of card enrollment, and repeats all secrets next to that.
 * @param environment the settings of the correct server
 * @param violates whether success is answered with the secrets only, now and then
 */
export const echoingBeside =
  (environment: Readonly<Record<string, string>>, violates: boolean): Misbehave =>
  async (request, correct) => {
    const { index, headers } = request;
    const name = Object.keys(SECRETS).find((one) => SECRETS[one] === headers[KEY_HEADER]);
    const reply = await correct(name === undefined ? {} : { [KEY_HEADER]: environment[name] ?? "" });
    const said = echoes();
    const text = reply.body.toString();
    const isObject = text.startsWith("{") && text.length > 2;
    const repeated = { ...reply.headers, "x-said": said.replaceAll("\n", " ") };
    if (violates && reply.status === 200 && index % 3 === 2)
      return { status: 200, headers: repeated, body: JSON.stringify({ said }) };
    const body = isObject ? `{"said":${JSON.stringify(said)},${text.slice(1)}` : text;
    return { ...reply, headers: repeated, body };
  };

const KEY_HEADER = "x-openapi-clientid";

export const environmentFor = (origin: string): Record<string, string> => ({
  ...SECRET_SETTINGS,
  ...Object.fromEntries(services().map((service) => [baseUrlName(service), `${origin}/base`])),
  ALLOW_DESTRUCTIVE: "true",
  MAX_BILLABLE_CALLS: "1000",
  REQUEST_TIMEOUT_SECONDS: "2",
  MAX_REQUESTS_PER_SECOND: "500",
});

export const written = async (out: string, { stdout, stderr }: Ended): Promise<Artifact[]> => [
  ...(await artifactsOf(out)),
  { path: "stdout", text: stdout },
  { path: "stderr", text: stderr },
];

/** Returns the files and folders that others than their owner can read or write. */
export const openToOthers = async (folder: string): Promise<string[]> => {
  const paths = (await readdir(folder, { recursive: true })).map((path) => join(folder, path));
  const modes = await Promise.all(paths.map(async (path) => [path, (await stat(path)).mode] as const));
  return modes.filter(([, mode]) => (mode & 0o077) !== 0).map(([path]) => path);
};
