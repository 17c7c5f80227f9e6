/** Nothing that a server, an archive or a name contains runs when somebody pastes a command that we print. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { commandWith } from "../../../helpers/contract/code.ts";
import { shellLine } from "../../../helpers/contract/shell.ts";
import { createCommands } from "../../../helpers/exchange/commands.ts";
import { toCurl } from "../../../helpers/exchange/curl.ts";
import type { Exchange, SentRequest } from "../../../helpers/exchange/exchange.ts";
import { createRedactor } from "../../../helpers/exchange/redact.ts";
import { collectFindings } from "../../../reports/certificate/findings.ts";
import { entry, failure, runInfo } from "../reports/reports-data.ts";
import { temporary } from "../support/command.ts";

const redactor = createRedactor({ KEY: "a-key-that-is-long" }, []);

const HOSTILE = [
  "PUT;touch X;",
  "$(touch X)",
  "`touch X`",
  "a\ntouch X\n",
  "'; touch X; '",
  "$KEY$(touch X)",
  "x/e touch X;#",
];

const curlOf = (more: Partial<SentRequest>) =>
  toCurl({ request: { method: "PUT", url: "http://127.0.0.1/", headers: {}, ...more } }, redactor);

const replayed = (name: string, document?: readonly string[]) =>
  collectFindings(
    runInfo({ target: { name, embedded: false, baseUrls: {} }, ...(document && { document }) }),
    [entry("a", "failed", { failure: failure("{}") })],
  )[0]?.replay ?? "";

/** The command after a call whose answer has an id in a member with this name. */
const afterMember = (member: string): string => {
  const commands = createCommands(redactor, []);
  const sent = (method: string, url: string, body: string): Exchange => ({
    ...{
      id: "a",
      service: "a",
      operationId: "a",
      requestJson: undefined,
      durationMs: 1,
      startedAt: new Date(0),
    },
    request: { method, url, headers: {} },
    response: { status: 201, headers: {}, body: Buffer.from(body), json: JSON.parse(body) },
  });
  const made = sent("POST", "http://127.0.0.1/a", JSON.stringify({ [member]: "id-1" }));
  commands.see(made);
  commands.seeId("id-1", made);
  const read = sent("GET", "http://127.0.0.1/a/id-1", "{}");
  commands.see(read);
  return commands.curl(read);
};

const LINES: Readonly<Record<string, (text: string) => string>> = {
  "a method": (method) => curlOf({ method }),
  "an address": (text) => curlOf({ url: `http://127.0.0.1/${text}` }),
  "the name of a header": (name) => curlOf({ headers: { [name]: "a" } }),
  "a header": (text) => curlOf({ headers: { a: text, b: `a-key-that-is-long${text}` } }),
  "a body": (body) => curlOf({ body }),
  "a member of an answer": afterMember,
  "the name of a target": (name) => replayed(name),
  "an option": (text) => replayed("a", ["--url", `http://127.0.0.1/${text}`, "--header", `A: ${text}`]),
  "the name of a file": (file) => commandWith("judge", file),
};
for (const [what, lineOf] of Object.entries(LINES))
  test(`${what} in a printed command runs nothing`, async () => {
    const folder = await temporary();
    const own = 'curl() { echo \'"id":"a"\'; }; npm() { :; };';
    for (const text of HOSTILE) spawnSync("sh", ["-c", `${own} ${lineOf(text)}`], { cwd: folder });
    expect(readdirSync(folder)).toEqual([]);
  });

test("a shell reads the words of a line as they were given", () => {
  const words = [...HOSTILE, "", "a b", "\\", '"', "~", "*", "!", "‹a›", "--a=b"];
  const { stdout } = spawnSync("sh", ["-c", shellLine("printf", "%s\\0", ...words)], { encoding: "utf8" });
  expect(stdout.split("\0").slice(0, -1)).toEqual(words);
});

test("curl reads no file for a header", () => {
  expect(curlOf({ headers: { "@/etc/hostname": "a" } })).not.toContain("@");
});
