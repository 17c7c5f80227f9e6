/** Reads the parts of a form (multipart/form-data, RFC 7578). A file of its own, because the library takes long to load. */
import { randomUUID } from "node:crypto";
import { Response } from "undici";

/**
 * Returns the names and texts of the parts; a file is its text.
 * @param type with the boundary between the parts
 * @throws TypeError when the body has no such parts
 */
export const partsIn = async (type: string, bytes: Buffer): Promise<[name: string, text: string][]> => {
  const [, quoted, boundary = quoted ?? ""] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const own = `form-${randomUUID()}`;
  const headers = { "content-type": `multipart/form-data; boundary=${own}` };
  const response = new Response(readable(bytes.toString("latin1"), boundary, own), { headers });
  const parts = [...(await response.formData())];
  return Promise.all(
    parts.map(async ([name, value]) => [name, typeof value === "string" ? value : await value.text()]),
  );
};

/**
 * Replaces what the library does not read: a boundary that is also in a value, and quotation marks with a backslash
 * (RFC 2183, 2).
 */
const readable = (text: string, boundary: string, own: string): Buffer => {
  const line = new RegExp(
    `(?<=^|\\r\\n)--${boundary.replaceAll(/\W/g, "\\$&")}(?=--|[ \\t]*\\r\\n)[ \\t]*`,
    "g",
  );
  const heads = (head: string): string => head.replaceAll('\\"', "%22");
  return Buffer.from(text.replaceAll(line, `--${own}`).replaceAll(DISPOSITION, heads), "latin1");
};

const DISPOSITION = /^content-disposition:.*$/gim;
