/** Reads the parts of a form in the body of a request (multipart/form-data, RFC 7578). */
import { placeInForm } from "../../../helpers/contract/form-fields.ts";
import { essenceOf } from "../../../helpers/contract/media-type.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import { isAbsent } from "../../../helpers/traffic/absent.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { isRedacted } from "./check.ts";

/** A part without a media type is a text (RFC 7578, 4.4), but many clients leave out other types as well. */
export interface Part {
  readonly name: string;
  readonly type?: string;
  readonly text: string;
}

/** @returns `undefined` if parts or their names are missing, or if redaction may have changed them */
export const sentParts = memoize(({ exchange: { request } }: Seen): readonly Part[] | undefined => {
  const { headers, body = "" } = request;
  const type = headers["content-type"] ?? "";
  const [, quoted, token = quoted] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  if (placeInForm(type) !== "part" || token === undefined || isAbsent(body) || isRedacted(body))
    return undefined;
  const escaped = token.replaceAll(/[^\w]/g, "\\$&");
  const [, ...sections] = `\n${body}`.split(new RegExp(`\\r?\\n--${escaped}(?=--|[ \\t]*\\r?\\n)`));
  if (sections.pop()?.startsWith("--") !== true) return undefined;
  const parts = sections.map(partOf);
  return parts.every((part) => part !== undefined) ? parts : undefined;
});

const partOf = (section: string): Part | undefined => {
  const [, head, text] = /^[ \t]*\r?\n([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(section) ?? [];
  if (head === undefined || text === undefined) return undefined;
  const [, quoted, token] = NAME.exec(head) ?? [];
  const [, type] = /^content-type:(.*)$/im.exec(head) ?? [];
  const name = quoted?.replaceAll("%22", '"').replaceAll(/\\(.)/g, "$1") ?? token;
  if (name === undefined) return undefined;
  return { name, text, ...(type !== undefined && { type: essenceOf(type) }) };
};

/** The name of a part; some clients write it without quotation marks (RFC 2183, 2). */
const NAME = /^content-disposition:.*?;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/im;
