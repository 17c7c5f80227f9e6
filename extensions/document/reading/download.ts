/** Downloads an OpenAPI document, with the files of the same origin to which it refers. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { request } from "undici";
import { shownAddress } from "../../../helpers/exchange/shown-address.ts";
import { USER_AGENT } from "../../../helpers/exchange/user-agent.ts";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";

/** @param folder for the files of an address */
export const downloaded = async (
  document: string,
  folder: string,
): Promise<{ readonly path: string; readonly from?: string }> => {
  if (!/^https?:\/\//i.test(document)) return { path: document };
  const known = new Set<string>();
  const load = async (asked: URL): Promise<URL> => {
    if (known.has(asked.pathname)) return asked;
    known.add(asked.pathname);
    const { text, url } = await textAt(asked);
    const path = fileOf(folder, url);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    for (const [, target = ""] of text.matchAll(FILE)) {
      const next = new URL(target, url);
      if (next.origin === url.origin) await load(next);
    }
    return url;
  };
  const main = await load(new URL(document));
  return { path: fileOf(folder, main), from: main.href };
};

/** Matches a reference to another file, without its fragment. */
const FILE = /\$ref["']?\s*:\s*["']?(?![a-z][a-z\d+.-]*:|\/\/|#)([^"'#\s]+)/gi;

const fileOf = (folder: string, { pathname }: URL): string => {
  const path = decodeURIComponent(pathname).replaceAll("..", "");
  return join(folder, path.endsWith("/") ? `${path}openapi` : path);
};

/** Several times the size of the largest published documents. */
const MOST_BYTES = 64_000_000;
const TIME_LIMIT = 30_000;

const MOST_REDIRECTS = 5;

/** Returns a text, and the address to which redirects of the same origin lead. */
const textAt = async (url: URL, redirects = 0): Promise<{ readonly text: string; readonly url: URL }> => {
  const failed = (problem: string): never => {
    throw new ConfigurationError(`--document: ${shownAddress(url.href)} can't be read: ${problem}.`);
  };
  const { statusCode, headers, body } = await request(url, {
    headers: { ...USER_AGENT, accept: "application/json, application/yaml, */*" },
    signal: AbortSignal.timeout(TIME_LIMIT),
  }).catch((error: Error) => failed(error.message));
  const location = statusCode >= 300 && statusCode < 400 ? headers.location : undefined;
  if (typeof location === "string" && URL.canParse(location, url.href)) {
    const next = new URL(location, url);
    await body.dump();
    if (redirects === MOST_REDIRECTS) return failed("it is redirected again and again");
    if (next.origin !== url.origin)
      return failed(`it is redirected to ${shownAddress(next.href)}: give that address`);
    return textAt(next, redirects + 1);
  }
  if (statusCode !== 200) return failed(`the answer is ${statusCode}`);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += (part as Buffer).length;
    if (size > MOST_BYTES) return failed(`it has more than ${MOST_BYTES / 1_000_000} MB`);
    parts.push(part as Buffer);
  }
  const text = Buffer.concat(parts).toString("utf8");
  if (/^\s*</.test(text)) return failed("it is a page: give the address of the OpenAPI document itself");
  return { text, url };
};
