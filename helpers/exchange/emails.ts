/**
 * Redacts e-mail addresses, including URL-encoded and JSON-escaped ones. Keeps masked addresses, so that readers see
 * the mask.
 */
import { type IsKept, placeholder } from "./placeholder.ts";

/** Every text in which an address is found has it. */
export const AT_SIGN = /@|%(?:25)?40|\\u0040|&#(?:64|x40);/i;
const AT = new RegExp(AT_SIGN, "gi");
const LOCAL = /[^\s"=&?/<>(),:;[\]@‹›]/;
const DOMAIN = /(?:[^\s"=&?/<>(),:;[\]@‹›!#$%'*+\\^_`{|}~]|\\u002[de])+/iy;
const MASK = /[*•]/;

/** Scans in both directions from each at sign, but not past the previous one, so that the time stays linear. */
export function redactEmails(text: string, isKept: IsKept): string {
  let redacted = "";
  let done = 0;
  let floor = 0;
  for (const { 0: sign, index } of text.matchAll(AT)) {
    let start = index;
    while (start > floor && LOCAL.test(text.charAt(start - 1))) start -= 1;
    floor = index + sign.length;
    const domain = domainAt(text, floor);
    if (start === index || domain === "" || MASK.test(text.slice(start, index))) continue;
    const address = `${text.slice(start, index)}@${domain}`;
    if (isKept(address)) continue;
    redacted += text.slice(done, start) + placeholder("e-mail", address);
    done = floor = floor + domain.length;
  }
  return redacted + text.slice(done);
}

function domainAt(text: string, at: number): string {
  DOMAIN.lastIndex = at;
  return (DOMAIN.exec(text)?.[0] ?? "").replace(/[.-]{1,20}$/, "");
}
