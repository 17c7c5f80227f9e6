/** A POSIX shell command that sends a request again, with secrets as references to the environment. */
import type { SentRequest } from "./exchange.ts";
import type { Redactor } from "./redact.ts";

/** @param exchange an exchange or its record; from a record a body that was cut stays cut */
export function toCurl({ request }: { readonly request: SentRequest }, redactor: Redactor): string {
  const { method, headers, body } = request;
  const word = (text: string) => shellWord(text, redactor);
  const url = redactor.text(request.url);
  const command = ["curl", ...switches(url), ...methodOf(method, body !== undefined), word(url)];
  for (const [name, value] of Object.entries(headers)) {
    command.push("-H", word(headerLine(name, redactor.header(name, value))));
  }
  if (body === undefined) return command.join(" ");
  // curl gives every body a content type unless it is told not to.
  if (headers["content-type"] === undefined) command.push("-H", word("content-type:"));
  const text = redactor.text(body);
  if (fitsArgument(text)) return [...command, "--data-raw", word(text)].join(" ");
  return `${printf(text, redactor)} | ${[...command, "--data-binary", "@-"].join(" ")}`;
}

/** Without them curl expands braces and brackets, and resolves dot segments, that were sent on purpose. */
const switches = (url: string): string[] => [
  "-sS",
  "-i",
  ...(/[[\]{}]/.test(url) ? ["--globoff"] : []),
  ...(/\/(\.|%2e){1,2}([/?]|$)/i.test(url) ? ["--path-as-is"] : []),
];

function methodOf(method: string, hasBody: boolean): string[] {
  if (method === "HEAD") return ["--head"];
  return method === (hasBody ? "POST" : "GET") ? [] : ["-X", method];
}

/** curl takes `name:` as an order to leave the header out, and `name;` as one without a value. */
const headerLine = (name: string, value: string): string => (value === "" ? `${name};` : `${name}: ${value}`);

/** Linux takes no argument above 128 KB, and no argument holds a NUL. */
const fitsArgument = (text: string): boolean => !text.includes("\0") && Buffer.byteLength(text) < 100_000;

/** `printf` is part of the shell and takes what no argument of a command can. */
const printf = (text: string, redactor: Redactor): string =>
  text.includes("\0")
    ? `printf '%b' ${shellWord(text.replaceAll("\\", "\\\\").replaceAll("\0", "\\0000"), redactor)}`
    : `printf '%s' ${shellWord(text, redactor)}`;

const NAMED = /‹([A-Z][A-Z0-9_]*)›/;

/** One word of the shell; `‹NAME›` becomes `"$NAME"` where the redactor knows a secret of that name. */
function shellWord(text: string, redactor: Redactor): string {
  // Splitting by a group leaves literal text at even places and names at odd ones.
  const parts = text.split(NAMED).map((part, index) => {
    if (index % 2 === 0) return { literal: part };
    return redactor.knows(part) ? { variable: part } : { literal: `‹${part}›` };
  });
  if (!parts.some((part) => part.variable)) return singleQuoted(text);
  if (parts.some((part) => part.literal && /["$`\\!]/.test(part.literal))) {
    return parts
      .map((part) => (part.variable ? `"$${part.variable}"` : part.literal && singleQuoted(part.literal)))
      .join("");
  }
  const words = parts.map((part, index) => {
    if (!part.variable) return part.literal;
    return /^\w/.test(parts[index + 1]?.literal ?? "") ? `\${${part.variable}}` : `$${part.variable}`;
  });
  return `"${words.join("")}"`;
}

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
