/** Renders a request as a POSIX shell command. Secrets become references to environment variables. */
import { isToken } from "../contract/http-token.ts";
import { type ShellWord, shellLine } from "../contract/shell.ts";
import type { SentRequest } from "./exchange.ts";
import type { Redaction } from "./redact.ts";

/** Redacts what a command shows of a request: `‹NAME›` stands for the environment variable if `knows` says so. */
export interface CommandRedaction extends Pick<Redaction, "text" | "header"> {
  knows(name: string): boolean;
}

/** @param exchange an exchange or its record; a record may contain only the start of the body */
export function toCurl({ request }: { readonly request: SentRequest }, redactor: CommandRedaction): string {
  const { method, headers, body } = request;
  const word = (text: string) => wordOf(text, redactor);
  const url = redactor.text(request.url);
  const command = ["curl", ...switches(url, headers), ...methodOf(method, body !== undefined), word(url)];
  for (const [name, value] of Object.entries(headers)) {
    // curl names itself, and reads a file for a header that begins with "@".
    if (name === "user-agent" || !isToken(name)) continue;
    command.push("-H", word(headerLine(redactor.text(name), redactor.header(name, value))));
  }
  if (body === undefined) return shellLine(...command);
  // By default, curl adds a content type to every body.
  if (headers["content-type"] === undefined) command.push("-H", "content-type:");
  const text = redactor.text(body);
  if (fitsArgument(text)) return shellLine(...command, "--data-raw", word(text));
  return `${printf(text, redactor)} | ${shellLine(...command, "--data-binary", "@-")}`;
}

/**
 * Prevents curl from expanding braces and brackets, and from resolving dot segments: a probe may contain them on
 * purpose. A compressed response is decoded.
 */
const switches = (url: string, headers: SentRequest["headers"]): string[] => [
  "-sS",
  "-i",
  ...(/[[\]{}]/.test(url) ? ["--globoff"] : []),
  ...(/\/(\.|%2e){1,2}([/?]|$)/i.test(url) ? ["--path-as-is"] : []),
  ...(headers["accept-encoding"] === undefined ? [] : ["--compressed"]),
];

function methodOf(method: string, hasBody: boolean): string[] {
  if (method === "HEAD") return ["--head"];
  return method === (hasBody ? "POST" : "GET") ? [] : ["-X", method];
}

/** Returns a header for curl. The form `name:` removes the header; `name;` sends it without a value. */
const headerLine = (name: string, value: string): string => (value === "" ? `${name};` : `${name}: ${value}`);

/**
 * Whether a text fits an argument: Linux limits arguments to 128 KB, and they cannot contain NUL. Terminals don't show
 * control characters, such as the ends of lines in a form with parts.
 */
const fitsArgument = (text: string): boolean => !CONTROL.test(text) && Buffer.byteLength(text) < 100_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROL = /[\0-\x1f\x7f]/;

/** Returns a `printf` command. It is built into the shell, so the limits of arguments do not apply. */
const printf = (text: string, redactor: CommandRedaction): string =>
  CONTROL.test(text)
    ? shellLine("printf", "%b", wordOf([...text.replaceAll("\\", "\\\\")].map(escaped).join(""), redactor))
    : shellLine("printf", "%s", wordOf(text, redactor));

/** Writes a control character as `printf` reads it. */
const escaped = (character: string): string =>
  CONTROL.test(character)
    ? (LINE_ENDS[character] ?? `\\0${character.charCodeAt(0).toString(8).padStart(3, "0")}`)
    : character;

const LINE_ENDS: Readonly<Record<string, string>> = { "\r": "\\r", "\n": "\\n" };

const NAMED = /‹([A-Z][A-Z0-9_]*)›/;

/** Returns a word in which `‹NAME›` is a variable if the redactor knows a secret with that name. */
const wordOf = (text: string, redactor: CommandRedaction): ShellWord => {
  // After splitting by a group, even indexes have literal text and odd indexes have names.
  const parts = text.split(NAMED).map((part, index) => {
    if (index % 2 === 0) return part;
    return redactor.knows(part) ? { variable: part } : `‹${part}›`;
  });
  return parts.every((part) => typeof part === "string") ? text : parts;
};
