/** Makes a service from an OpenAPI document: its contract in a folder for temporary files, and its settings. */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { Service } from "../../../helpers/contract/contract.ts";
import { locationOf } from "../../../helpers/contract/documents/git-source.ts";
import { readDocument } from "../../../helpers/contract/documents/read-document.ts";
import { ContractError } from "../../../helpers/contract/documents/source-file.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import { temporaryFolder } from "../../../helpers/contract/process-end.ts";
import { filledAddress, shownAddress } from "../../../helpers/exchange/shown-address.ts";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";
import type { Need } from "../../../runner/extensions.ts";
import { contractFiles } from "./contract-files.ts";
import { convert } from "./convert.ts";
import { downloaded } from "./download.ts";
import { giveValues } from "./given-values.ts";
import { serverIn } from "./servers.ts";
import { settingsOf, withoutValue } from "./settings.ts";
import { withToken } from "./token.ts";

/** What the options of `--document` name. */
export type DocumentFlags = Readonly<
  Record<"document", string> &
    Partial<Record<"root" | "url" | "tokenFrom", string>> &
    Partial<Record<"header" | "id" | "key" | "value", readonly string[]>>
>;

/** @returns the service with the arguments that name its target, which may be missing */
export const openService = async (given: DocumentFlags, need: Need, name?: Service) => {
  const flags = { header: [], id: [], key: [], value: [], ...given };
  const document = shownAddress(flags.document);
  const folder = temporaryFolder("document");
  const downloads = join(folder, "download");
  const { path, from } = await downloaded(filledAddress("--document", flags.document), downloads);
  const root = from === undefined ? flags.root : downloads;
  const service = name ?? nameOf(path);
  const plain = named(document, path, () => convert(service, path, root));
  if (plain.operations.length === 0)
    throw new ConfigurationError(`${document} has no operations: give a document with paths.`);
  const own = { document, ...(flags.url !== undefined && { url: filledAddress("--url", flags.url) }) };
  const url = need === "contract" ? undefined : urlOf(own, need, readDocument(path, root).root, from);
  const { tokenFrom } = flags;
  const converted =
    tokenFrom === undefined ? plain : withToken(service, plain, tokenFrom, url ?? "http://127.0.0.1");
  giveValues(converted, flags.value);
  const schemas = join(folder, "schemas");
  mkdirSync(join(schemas, service), { recursive: true });
  for (const [name, text] of Object.entries(contractFiles(service, converted, JSON.stringify)))
    writeFileSync(join(schemas, service, name), text);
  const { version, digest } = converted;
  const madeFrom = { file: locationOf(path), version, digest, folder: join(schemas, service) };
  const opened = { schemas, document: from === undefined ? locationOf(path) : document, madeFrom };
  if (url === undefined) return { ...opened, target: [] };
  const repeated = [
    ...["--document", document],
    ...["--url", shownAddress(flags.url ?? url)],
    ...flags.header.flatMap((text) => ["--header", withoutValue(text)]),
    ...flags.key.flatMap((text) => ["--key", withoutValue(text)]),
    ...flags.id.flatMap((text) => ["--id", text]),
    ...flags.value.flatMap((text) => ["--value", text]),
  ];
  const settings = settingsOf(service, converted, url, flags);
  return { ...opened, repeated, settings, target: ["--target", service] };
};

/** Names the document in an error as the user does, and not by the file of a download. */
const named = <Value>(document: string, path: string, read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    if (error instanceof ContractError) error.message = error.message.replaceAll(path, document);
    throw error;
  }
};

/** @returns `undefined` for the embedded sandbox */
const urlOf = (
  { document, url }: Pick<DocumentFlags, "document" | "url">,
  need: Need,
  root: Json,
  from: string | undefined,
): string | undefined => {
  const known = url ?? (need === "server" ? serverIn(root, from) : undefined);
  if (known !== undefined || need !== "server") return known;
  throw new ConfigurationError(
    `${document} names no server with a complete address: give its address with --url.`,
  );
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
