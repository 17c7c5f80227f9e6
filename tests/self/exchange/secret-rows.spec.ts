/** The rows of secrets: what each finds, what it leaves, and what SECURITY.md says about them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { createRecorder } from "../../../helpers/exchange/recorder.ts";
import { createRedactor, record } from "../../../helpers/exchange/redact.ts";
import rows from "../../../helpers/exchange/secrets/rows.json" with { type: "json" };
import { createSecretNames } from "../../../helpers/exchange/secrets/secrets.ts";
import { NOTATIONS } from "../hostile/random-secrets.ts";
import { ROOT } from "../support/command.ts";
import { redactor } from "./redacting.ts";

const { isHeader, isMember, isParameter } = createSecretNames([], {});

for (const { words, hides, keeps } of [...rows.names, ...rows.others])
  test(`a row of names: ${words}`, () => {
    for (const isSecret of [isHeader, isMember, isParameter])
      expect([isSecret(hides), isSecret(keeps)], `${hides}, ${keeps}`).toEqual([true, false]);
  });

const SECRET_NAMES =
  "apikey api_key access_token x-apikey APIKey apiKEY consumerSSN JWTs user[password] token2 bankaccountnumber";
const OTHER_NAMES =
  "key tokenLastFour tokenExpirationMonth panBin tokenType sessionIdle syntaxId lifespan mapping japan";

test("names are split at dashes, underscores, dots, capitals and digits", () => {
  expect(SECRET_NAMES.split(" ").filter((name) => !isMember(name))).toEqual([]);
  expect(OTHER_NAMES.split(" ").filter(isMember)).toEqual([]);
});

for (const [notation, write] of Object.entries(NOTATIONS))
  test(`a row of notations: ${notation}`, () => {
    const hidden = redactor.text(write("x-token", "Ab1-Zq7_secret"));
    expect(hidden).toContain("‹");
    expect(hidden).not.toMatch(/Ab1|secret/);
    expect(redactor.text(hidden)).toBe(hidden);
    const other = write("tokenType", "Ab1-Zq7_secret");
    expect(redactor.text(other)).toBe(other);
  });

test("every row of notations has a text that needs it", () => {
  const texts = Object.values(NOTATIONS).map((write) => write("token", "Ab1-Zq7_secret"));
  for (const { what, head } of rows.notations)
    expect(
      texts.some((text) => new RegExp(head, "gim").test(text)),
      what,
    ).toBe(true);
});

/** Texts that say something about a field without its value. */
const PROSE = [
  "token: must not be empty",
  "Signature: invalid",
  "but not its signature: correct THE_KEY, or ask",
  "Unexpected token: }",
  "/v1/keys/secret:rotate",
  "https://a.test/token",
  "urn:ietf:params:oauth:token-type:jwt",
  "an older token: 200",
  "pans: maxLength",
];
for (const text of PROSE) test(`no value: ${text}`, () => expect(redactor.text(text)).toBe(text));

for (const text of ["Authorization: Bearer X1y", "the cvv: 123", "password: no-more-secrets"])
  test(`a value: ${text}`, () => expect(redactor.text(text)).toMatch(/: ‹[\w-]+, \d+ characters›$/));

/** For each row of forms, what has the form, and what is too short or has another start. */
const FORMS: readonly (readonly [found: string, other: string])[] = [
  [`-----BEGIN EC PRIVATE KEY-----\\n${"MHcCAQEEIB".repeat(8)}`, "-----BEGIN PUBLIC KEY-----"],
  [`AKIA${"ABCDEFGH".repeat(2)}`, "AKIAABCD"],
  [`AIza${"aB3_-".repeat(7)}`, "AIzaaB3"],
  [`ghp_${"aB3d".repeat(9)}`, "ghp_aB3d"],
  [`github_pat_${"aB3d".repeat(9)}`, "github_pat_a"],
  [`glpat-${"aB3d-".repeat(4)}`, "glpat-a"],
  [`npm_${"aB3d".repeat(9)}`, "npm_config_cache"],
  [`xoxb-${"12345-".repeat(4)}abc`, "xoxb-1"],
  [`sk_live_${"aB3d".repeat(6)}`, "sk_live_a"],
  [`SG.${"aB3d".repeat(5)}.${"aB3d".repeat(5)}`, "SG.a.b"],
  [`ya29.${"aB3d".repeat(5)}`, "ya29.a"],
  [`whsec_${"QmF5ZXNpYW4".repeat(3)}`, "whsec_a"],
  [`AccountKey=${"aB3d".repeat(10)}==`, "AccountKeyName"],
  ["https://jane:hunter2@a.test", "https://a.test/jane:hunter2"],
];
for (const [index, { what }] of rows.forms.entries())
  test(`a row of forms: ${what}`, () => {
    const [found = "", other = ""] = FORMS[index] ?? [];
    const redacted = redactor.text(`{"a":"${found}","b":1}`);
    expect(redacted).toMatch(/^\{"a":"(https:\/\/)?‹[\w ]+, \d+ characters›/);
    expect(redactor.text(redacted)).toBe(redacted);
    expect(redactor.text(other)).toBe(other);
  });

test("a cookie that the server set is known in later exchanges", () => {
  const knowing = createRedactor({}, [{ secretPlaces: [{ in: "cookie", name: "crumb" }] }]);
  const exchange = (headers: Record<string, string>, body: string) => ({
    ...{ id: "w0-1", service: "a", operationId: "b", requestJson: undefined },
    request: { method: "GET", url: "https://a.test/", headers: {} },
    response: { status: 200, headers, body: Buffer.from(body), json: undefined },
    ...{ startedAt: new Date(0), durationMs: 1 },
  });
  const set = "a=First-1; Expires=Wed, 01 Jan 2031 00:00:00 GMT, b=Second-2; Path=/";
  createRecorder(knowing).see(exchange({ "set-cookie": set }, ""));
  const { response } = record(exchange({}, "First-1, Second-2 and Path; crumb=Cr; cake=Ca"), knowing);
  expect(response?.body).toBe("‹set-cookie›, ‹set-cookie› and Path; crumb=‹crumb, 2 characters›; cake=Ca");
});

test("SECURITY.md states exactly the rows", () => {
  const text = readFileSync(join(ROOT, "SECURITY.md"), "utf8").replaceAll(/\s+/g, " ");
  const listed = (all: readonly { readonly words: string }[]): string =>
    all.map(({ words }) => `\`${words}\``).join(", ");
  expect(text).toContain(`: ${listed(rows.names.filter(({ at }) => at !== "whole"))}.`);
  expect(text).toContain(`: ${listed(rows.names.filter(({ at }) => at === "whole"))}.`);
  expect(text).toContain(`: ${listed(rows.others)}.`);
  for (const named of [rows.notations, rows.forms])
    expect(text).toContain(`: - ${named.map(({ what }) => what).join(" - ")} `);
});
