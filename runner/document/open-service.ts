/** Makes a service from an OpenAPI document: its contract in a folder for temporary files, and its settings. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { didYouMean } from "../../helpers/contract/nearest.ts";
import { readDocument } from "../../helpers/contract/read-document.ts";
import { DOCUMENT_FOLDER, settingPrefix } from "../../helpers/contract/services.ts";
import { gatewaySetting } from "../../helpers/target/gateway-settings.ts";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import { baseUrlName } from "../../helpers/target/names.ts";
import { type DocumentFlags, keepDocumentArguments, type Need } from "./arguments.ts";
import { contractFiles } from "./contract-files.ts";
import { type Converted, convert, type Key } from "./convert.ts";
import { downloaded } from "./download.ts";
import { serverIn } from "./servers.ts";

/** Makes the service, and sets its settings in the environment. @returns the arguments that name it and its target */
export const openService = async (flags: DocumentFlags, need: Need): Promise<string[]> => {
  const { document } = flags;
  const folder = mkdtempSync(join(tmpdir(), "assay-document-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const downloads = join(folder, "download");
  const { path, from } = await downloaded(document, downloads);
  const root = from === undefined ? flags.root : downloads;
  const service = nameOf(path);
  const converted = convert(service, path, root);
  if (converted.operations.length === 0)
    throw new ConfigurationError(`${document} has no operations: give a document with paths.`);
  const own = join(folder, "schemas", service);
  mkdirSync(own, { recursive: true });
  for (const [name, text] of Object.entries(contractFiles(service, converted)))
    writeFileSync(join(own, name), text);
  process.env[DOCUMENT_FOLDER] = join(folder, "schemas");
  if (need === "contract") return [];
  const url = flags.url ?? (need === "server" ? serverIn(readDocument(path, root).root, from) : undefined);
  if (url === undefined && need === "server or sandbox") return [];
  if (url === undefined)
    throw new ConfigurationError(
      `${document} names no server with a complete address: give its address with --url.`,
    );
  Object.assign(process.env, settingsOf(service, converted, url, flags));
  keepDocumentArguments([
    ...["--document", document, "--url", url],
    ...(flags.root === undefined ? [] : ["--root", flags.root]),
    ...flags.header.flatMap((text) => ["--header", withoutValue(text)]),
    ...flags.id.flatMap((text) => ["--id", text]),
  ]);
  return ["--target", service];
};

/** Returns a name for the service: the name of the file, or the name of its folder if many documents have that name. */
const nameOf = (path: string): string => {
  const parts = path.split(/[\\/]/);
  const file = basename(path, extname(path));
  const words = COMMON.test(file) ? (parts.at(-2) ?? file) : file;
  const name = words
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "");
  return name === "" ? "api" : name;
};

const COMMON = /^(openapi|swagger|api|api-docs|index|spec|document)$/i;

const settingsOf = (
  service: string,
  converted: Converted,
  url: string,
  { header, id }: DocumentFlags,
): Record<string, string> => {
  const given = header.flatMap(headersIn);
  const headers = new Map(given.map(({ name, value }) => [name.toLowerCase(), value]));
  const keys = converted.settings.flatMap(({ name, key }): [string, string][] => {
    const value = key && valueOfKey(key, headers);
    return value === undefined ? [] : [[name, value]];
  });
  for (const { key } of converted.settings) if (key?.in === "header") headers.delete(key.name.toLowerCase());
  return {
    [baseUrlName(service)]: url,
    ...Object.fromEntries(keys),
    ...(headers.size > 0 && {
      [gatewaySetting(service, "HEADERS")]: JSON.stringify(Object.fromEntries(headers)),
    }),
    ...Object.fromEntries(id.map((text) => identifier(service, converted, text))),
  };
};

/** Takes the value of a key from the headers; a cookie leaves the other cookies of its header. */
const valueOfKey = ({ in: place, name }: Key, headers: Map<string, string>): string | undefined => {
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

interface Header {
  readonly name: string;
  readonly value: string;
}

/** Returns the headers of an option: one, or the lines of a file. */
const headersIn = (text: string): Header[] => {
  if (!text.startsWith("@")) return [headerIn(text)];
  const lines = textOf(text.slice(1)).split(/\r?\n/);
  return lines.filter((line) => line.trim() !== "").map(headerIn);
};

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigurationError(`--header: ${path} can't be read: ${(error as Error).message}`);
  }
};

const headerIn = (text: string): Header => {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(text.trim()) ?? [];
  if (name === undefined || value === undefined)
    throw new ConfigurationError("--header: write it as 'Name: value', or @FILE for a file of such lines.");
  return { name, value: value.replaceAll(/\$\{?([A-Za-z_]\w*)\}?/g, (_, variable) => variableOf(variable)) };
};

const variableOf = (variable: string): string => {
  const value = process.env[variable];
  if (value) return value;
  throw new ConfigurationError(`--header: there is no variable ${variable} in the environment.`);
};

/** Returns a header as a command may show it: a value that is not in a file or a variable may be secret. */
const withoutValue = (text: string): string => {
  if (/^@|\$/.test(text)) return text;
  const name = text.slice(0, text.indexOf(":"));
  return `${name}: $${name.toUpperCase().replaceAll(/\W+/g, "_")}`;
};

const identifier = (service: string, { settings }: Converted, text: string): [string, string] => {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new ConfigurationError("--id: write it as NAME=VALUE, for example --id repo=tool-1.");
  const known = settings.filter(({ resource }) => resource !== undefined);
  const plain = (words: string): string => words.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  const found = known.find(({ resource = "", name: setting }) =>
    [resource, setting.slice(settingPrefix(service).length)].some((one) => plain(one) === plain(name)),
  );
  if (found !== undefined) return [found.name, value];
  const names = known.map(({ resource = "" }) => resource);
  throw new ConfigurationError(
    names.length === 0
      ? `--id ${name}: no path of the document needs an identifier that its own operations do not give.`
      : `--id: there is no "${name}".${didYouMean(name, names)} The document needs: ${names.join(", ")}.`,
  );
};
