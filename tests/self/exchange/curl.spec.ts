/** A shell that runs the printed command must send the same request again. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { toCurl } from "../../../helpers/exchange/curl.ts";
import type { SentRequest } from "../../../helpers/exchange/exchange.ts";
import { createRedactor } from "../../../helpers/exchange/redact.ts";

const VALUES = { CARD_ENROLLMENT_API_KEY: 'k3y $(x) `y` "z" \'!\\' };
const redactor = createRedactor(VALUES, []);
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

const request = (more: Partial<SentRequest>): SentRequest => ({
  method: "POST",
  url: "http://127.0.0.1/cards",
  headers: {},
  ...more,
});

test("a known secret becomes a variable reference, an unknown one a placeholder", () => {
  const command = toCurl(
    {
      request: request({
        headers: { "x-openapi-clientid": VALUES.CARD_ENROLLMENT_API_KEY, "partner-app-key": "abc" },
        body: `{"key":"${VALUES.CARD_ENROLLMENT_API_KEY}s","mail":"jane@example.com"}`,
      }),
    },
    redactor,
  );
  expect(command).toBe(
    "curl -sS -i http://127.0.0.1/cards -H 'x-openapi-clientid: '\"$CARD_ENROLLMENT_API_KEY\" " +
      "-H 'partner-app-key: ‹partner-app-key, 3 characters›' -H content-type: " +
      `--data-raw '{"key":"'"$CARD_ENROLLMENT_API_KEY"'s","mail":"‹e-mail, 16 characters›"}'`,
  );
});

test("text that only looks like a placeholder stays text", () => {
  expect(toCurl({ request: request({ body: "‹PATH›" }) }, redactor)).toContain("--data-raw '‹PATH›'");
});

const SENT: readonly [what: string, more: Partial<SentRequest>][] = [
  ["no body", { method: "GET" }],
  ["a body with GET", { method: "GET", body: "{}" }],
  ["DELETE", { method: "DELETE" }],
  ["HEAD", { method: "HEAD" }],
  ["no body with POST", {}],
  ["an empty body", { body: "" }],
  ["quotes", { body: `it's "so" '' \\' $HOME \`id\` !! %s %b` }],
  ["line breaks", { body: "\r\n a\nb\\n\t\n" }],
  [
    "characters outside the BMP",
    { body: '{"a":"😀é\\u0000"}', headers: { "content-type": "application/json" } },
  ],
  ["a body that looks like a file", { body: "@/etc/hostname" }],
  ["a NUL", { body: "a\0b\\0c\\n\x001'" }],
  ["a very long body", { body: `'${"é\n".repeat(100_000)}'` }],
  ["odd headers", { headers: { "x-empty": "", "x-quote": 'it\'s "$x"', "x-accent": "é" } }],
  [
    "a secret in header and body",
    {
      headers: { "x-openapi-clientid": VALUES.CARD_ENROLLMENT_API_KEY },
      body: `a=${VALUES.CARD_ENROLLMENT_API_KEY}b`,
    },
  ],
  ["dot segments and brackets", { method: "GET", url: "/a/../%2e%2e/b/./?x=[1-3]&y={a,b}&z='$x" }],
];
for (const [what, more] of SENT) {
  test(`curl repeats a request with ${what}`, async () => {
    test.skip(!hasCurl, "there is no curl on this machine");
    const seen: { method: string; url: string; headers: Record<string, string>; body: string }[] = [];
    const server = http.createServer(async (incoming, response) => {
      const body = Buffer.concat(await incoming.toArray()).toString();
      seen.push({
        method: incoming.method ?? "",
        url: incoming.url ?? "",
        headers: textHeaders(incoming),
        body,
      });
      response.end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sent = request({ ...more, url: origin + (more.url ?? "/cards") });
    try {
      const shell = spawn("sh", { env: { ...process.env, ...VALUES }, stdio: ["pipe", "ignore", "inherit"] });
      shell.stdin.end(toCurl({ request: sent }, redactor));
      await once(shell, "close");
    } finally {
      server.close();
    }
    const [got] = seen;
    expect(got).toMatchObject({
      method: sent.method,
      url: sent.url.slice(origin.length),
      body: sent.body ?? "",
    });
    expect(got?.headers).toMatchObject(sent.headers);
    expect(got?.headers["content-type"]).toBe(sent.headers["content-type"]);
  });
}

/** Decodes the headers as UTF-8: Node reads them as Latin-1. */
const textHeaders = ({ headers }: http.IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(String(value), "latin1").toString()]),
  );
