/** Turns the options of `--document` into the settings of its service. */
import { readFileSync } from "node:fs";
import { didYouMean } from "../../../helpers/contract/nearest.ts";
import { settingPrefix } from "../../../helpers/contract/services.ts";
import { variableFor, variableOf } from "../../../helpers/exchange/shown-address.ts";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";
import { baseUrlName, gatewaySetting } from "../../../helpers/target/names.ts";
import type { Converted, DocumentSetting, Key } from "./converted.ts";

/** @throws ConfigurationError naming the option that is wrong */
export const settingsOf = (
  service: string,
  converted: Converted,
  url: string,
  { header, id, key }: Readonly<Record<"header" | "id" | "key", readonly string[]>>,
): Record<string, string> => {
  const given = header.flatMap((text) => pairsIn("--header", text));
  const headers = new Map(given.map(({ name, value }) => [name.toLowerCase(), value]));
  const keys = converted.settings.flatMap((setting): [string, string][] => {
    const value = setting.value ?? (setting.key && takenFrom(setting.key, headers));
    return value === undefined ? [] : [[setting.name, value]];
  });
  for (const { key: own } of converted.settings)
    if (own?.in === "header") headers.delete(own.name.toLowerCase());
  const named = key.flatMap((text) => pairsIn("--key", text));
  return {
    [baseUrlName(service)]: url,
    ...Object.fromEntries(keys),
    ...Object.fromEntries(
      named.map((pair) => {
        const setting = keySetting(converted, pair);
        return [setting.name, credentialOf(converted, setting, pair)];
      }),
    ),
    ...(headers.size > 0 && {
      [gatewaySetting(service, "HEADERS")]: JSON.stringify(Object.fromEntries(headers)),
    }),
    ...Object.fromEntries(id.map((text) => identifier(service, converted, text))),
  };
};

/** Returns an option as a command may show it: a value that is not in a file or a variable may be secret. */
export const withoutValue = (text: string): string => {
  if (/^@|\$/.test(text)) return text;
  const [, name = "", sign = ""] = /^([^:=]+)(: |=)/.exec(text) ?? [];
  return `${name}${sign}$${variableFor(name)}`;
};

/** Takes the value of a key from the headers; a cookie leaves the other cookies of its header. */
const takenFrom = ({ in: place, name }: Key, headers: Map<string, string>): string | undefined => {
  if (place === "header") return headers.get(name.toLowerCase());
  if (place === "query") return undefined;
  const cookies = (headers.get("cookie") ?? "").split(/;\s*/).filter((one) => one !== "");
  const found = cookies.find((one) => one.startsWith(`${name}=`));
  if (found === undefined) return undefined;
  const others = cookies.filter((one) => one !== found);
  if (others.length === 0) headers.delete("cookie");
  else headers.set("cookie", others.join("; "));
  return found.slice(name.length + 1);
};

interface Pair {
  readonly name: string;
  readonly value: string;
}

const FORMS = {
  "--header": { pattern: /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/, words: "'Name: value'" },
  "--key": { pattern: /^([^=]+)=(.*)$/s, words: "'NAME=$VARIABLE'" },
} as const;

/** Returns the pairs of an option: one, or the lines of a file. */
const pairsIn = (option: keyof typeof FORMS, text: string): Pair[] => {
  if (!text.startsWith("@")) return [pairIn(option, text)];
  const lines = textOf(option, text.slice(1)).split(/\r?\n/);
  return lines.filter((line) => line.trim() !== "").map((line) => pairIn(option, line));
};

const textOf = (option: keyof typeof FORMS, path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigurationError(`${option}: ${path} can't be read: ${(error as Error).message}`);
  }
};

const pairIn = (option: keyof typeof FORMS, text: string): Pair => {
  const { pattern, words } = FORMS[option];
  const [, name, value] = pattern.exec(text.trim()) ?? [];
  if (name === undefined || value === undefined)
    throw new ConfigurationError(`${option}: write it as ${words}, or @FILE for a file of such lines.`);
  const filled = value.replaceAll(/\$\{?([A-Za-z_]\w*)\}?/g, (_, variable) => variableOf(option, variable));
  return { name, value: filled };
};

const plain = (words: string): string => words.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

/** Returns the setting of a key, by the name of its scheme, of its place, or of a field of the log-in. */
const keySetting = ({ settings }: Converted, { name }: Pair): DocumentSetting => {
  const namesOf = ({ key, field }: Converted["settings"][number]): string[] =>
    [key?.scheme, key?.name, field].filter((one) => one !== undefined);
  const found = settings.find((one) => namesOf(one).some((known) => plain(known) === plain(name)));
  if (found !== undefined) return found;
  const names = settings.flatMap((one) => namesOf(one).slice(0, 1));
  throw new ConfigurationError(
    names.length === 0
      ? `--key ${name}: the document names no key.`
      : `--key: there is no "${name}".${didYouMean(name, names)} The document names: ${names.join(", ")}.`,
  );
};

/** Returns the value of the header of a scheme, for a bare token or a user with a password (RFC 6750, 2.1; RFC 7617, 2). */
const credentialOf = ({ schemes }: Converted, { key }: DocumentSetting, { name, value }: Pair): string => {
  if (key === undefined || plain(key.scheme) !== plain(name)) return value;
  const { type, scheme } = schemes[key.scheme] ?? {};
  const isBasic = type === "http" && /^basic$/i.test(String(scheme));
  if (isBasic && value.includes(":")) return `Basic ${Buffer.from(value).toString("base64")}`;
  const isBearer = /^(oauth2|openIdConnect)$/.test(String(type)) || /^bearer$/i.test(String(scheme));
  return isBearer && !/\s/.test(value) ? `Bearer ${value}` : value;
};

const identifier = (service: string, { settings }: Converted, text: string): [string, string] => {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new ConfigurationError("--id: write it as NAME=VALUE, for example --id repo=tool-1.");
  const known = settings.filter(({ resource, field }) => resource !== undefined && field === undefined);
  const isNamed = (names: readonly string[]): boolean => names.some((one) => plain(one) === plain(name));
  const found =
    known.find(({ resource = "", name: setting }) =>
      isNamed([resource, setting.slice(settingPrefix(service).length)]),
    ) ?? known.find(({ parameters = [] }) => isNamed(parameters));
  if (found !== undefined) return [found.name, value];
  const names = known.map(({ resource = "" }) => resource);
  throw new ConfigurationError(
    names.length === 0
      ? `--id ${name}: no path of the document has an identifier.`
      : `--id: there is no "${name}".${didYouMean(name, names)} The document needs: ${names.join(", ")}.`,
  );
};
