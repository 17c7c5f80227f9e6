/** Addresses in texts are replaced, also if a stream divides them. */
import { expect, test } from "@playwright/test";
import { QUICK } from "../../../tests/self/support/lanes.ts";
import { createRewriting } from "../proxy/rewriting.ts";

const PROXY = "http://127.0.0.1:4000/a";
const rewriting = createRewriting([["https://api.example.com", PROXY]]);

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("an address is replaced in each notation, and a longer address stays", QUICK, () => {
  const replaced = {
    "https://api.example.com": PROXY,
    "https://api.example.com/x?y": `${PROXY}/x?y`,
    "See https://api.example.com.": `See ${PROXY}.`,
    "https:\\/\\/api.example.com\\/x": `${PROXY.replaceAll("/", "\\/")}\\/x`,
    "u=https%3A%2F%2Fapi.example.com%2Fx": `u=${encodeURIComponent(PROXY)}%2Fx`,
  };
  for (const [text, expected] of Object.entries(replaced)) expect(rewriting.text(text)).toBe(expected);
  for (const other of [
    "https://api.example.community",
    "https://api.example.com:8443/x",
    "https://example.com",
  ])
    expect(rewriting.text(other)).toBe(other);
});

test("a stream with parts of any size gives the same text", QUICK, async () => {
  const text = 'né {"next":"https://api.example.com/é","other":"https://api.example.com:1"} '.repeat(20);
  for (const size of [1, 2, 3, 7, 64, 10_000]) {
    const parts: Buffer[] = [];
    for await (const part of rewriting.stream(inParts(Buffer.from(text), size))) parts.push(part);
    expect(Buffer.concat(parts).toString("utf8")).toBe(rewriting.text(text));
  }
});
