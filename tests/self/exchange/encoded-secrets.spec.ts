/** A secret is redacted in the encoded forms in which a server may repeat it. */
import { expect, test } from "@playwright/test";
import { createRedactor } from "../../../helpers/exchange/redact.ts";

const KEY = "canary/key+1 %2F-Zq7_x";
const keyed = createRedactor({ FINANCIAL_DATA_PARTNER_SECRET: KEY }, []);
const base64At = (offset: number, encoding: "base64" | "base64url"): string =>
  Buffer.from(`${"ab".slice(0, offset)}${KEY} and more`).toString(encoding);
const wrapped = (text: string, by: string): string => text.replaceAll(/.{7}/g, (part) => `${part}${by}`);
const eachAs = (form: (code: number) => string): string =>
  [...KEY].map((character) => form(character.charCodeAt(0))).join("");

const ENCODED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (["base64", "base64url"] as const).flatMap((encoding) =>
      [0, 1, 2].map((offset) => [`${encoding} at offset ${offset}`, base64At(offset, encoding)]),
    ),
  ),
  "base64 over lines": wrapped(base64At(1, "base64"), "\r\n"),
  "base64 over lines of JSON": wrapped(base64At(2, "base64"), "\\n  "),
  hexadecimal: Buffer.from(KEY).toString("hex"),
  "hexadecimal in upper case": Buffer.from(KEY).toString("hex").toUpperCase(),
  "hexadecimal with colons": Buffer.from(KEY)
    .toString("hex")
    .replaceAll(/..(?!$)/g, "$&:"),
  "percent-encoded, each character": eachAs((code) => `%${code.toString(16)}`),
  "HTML, each character in decimals": eachAs((code) => `&#${code};`),
  "HTML, each character in hexadecimals": eachAs((code) => `&#x00${code.toString(16)};`),
  "JSON, each character": eachAs((code) => `\\u00${code.toString(16)}`),
  "upper case": KEY.toUpperCase(),
  "over lines": wrapped(KEY, "\n"),
};

for (const [form, text] of Object.entries(ENCODED)) {
  test(`a secret is redacted in an encoded form: ${form}`, () => {
    const redacted = keyed.text(`<p>${text}</p>`);
    expect(redacted).toContain("‹FINANCIAL_DATA_PARTNER_SECRET›");
    expect(redacted).toMatch(/^<p>.{0,2}‹FINANCIAL_DATA_PARTNER_SECRET›[\w=+/ \\\r\n-]{0,40}<\/p>$/s);
  });
}
