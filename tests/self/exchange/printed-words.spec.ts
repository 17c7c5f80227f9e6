/** Nothing that a server, an archive or a name contains runs when somebody pastes a command that we print. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { commandWith } from "../../../helpers/contract/code.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { shellLine } from "../../../helpers/contract/shell.ts";
import { createCommands } from "../../../helpers/exchange/commands.ts";
import { toCurl } from "../../../helpers/exchange/curl.ts";
import type { Exchange, SentRequest } from "../../../helpers/exchange/exchange.ts";
import { createRedactor } from "../../../helpers/exchange/redact.ts";
import { collectFindings } from "../../../reports/certificate/findings.ts";
import { entry, failure, runInfo } from "../reports/reports-data.ts";
import { temporary } from "../support/command.ts";

const redactor = createRedactor({ KEY: "a-key-that-is-long" }, []);
const ORIGIN = "http://127.0.0.1";
const HOSTILE = [
  "PUT;touch X;",
  "$(touch X)",
  "`touch X`",
  "\ntouch X\n",
  "'; touch X; '",
  "$KEY$(touch X)",
  "x/e touch X;#",
];

const curlOf = (more: Partial<SentRequest>) =>
  toCurl({ request: { method: "PUT", url: ORIGIN, headers: {}, ...more } }, redactor);

/** The command after a call whose answer has an id in a member with this name. */
const afterMember = (member: string): string => {
  const commands = createCommands(redactor, []);
  const json = { [member]: "id-1" };
  const response = { status: 201, headers: {}, body: Buffer.from(JSON.stringify(json)), json };
  const [made, read] = ["", "/id-1"].map((path) => {
    const request = { method: path === "" ? "POST" : "GET", url: `${ORIGIN}${path}`, headers: {} };
    const exchange: Partial<Exchange> = { operationId: path, request, response };
    commands.see(exchange as never);
    return exchange;
  });
  const id = { resource: "thing", value: "id-1" };
  commands.seeId({ ...id, pointer: `/${escapeSegment(member)}`, isChosen: false }, made as never);
  return commands.curl({ ...read, ids: [{ ...id, in: "path", name: "id" }] } as never).curl;
};

const replayed = (...document: readonly string[]) =>
  collectFindings(runInfo({ document }), [entry("a", "failed", { failure: failure("{}") })])[0]?.replay ?? "";

const LINES: Readonly<Record<string, (text: string) => string>> = {
  "a method": (method) => curlOf({ method }),
  "an address": (text) => curlOf({ url: `${ORIGIN}/${text}` }),
  "the name of a header": (name) => curlOf({ headers: { [name]: "a" } }),
  "a header": (text) => curlOf({ headers: { a: text, b: `a-key-that-is-long${text}` } }),
  "a body": (body) => curlOf({ body }),
  "a member of an answer": afterMember,
  "an option": (text) => replayed("--header", `A: ${text}`),
  "the name of a file": (file) => commandWith("judge", file),
};
for (const [what, lineOf] of Object.entries(LINES))
  test(`${what} in a printed command runs nothing`, async () => {
    const cwd = await temporary();
    const own = 'curl() { echo \'"id":"a"\'; }; npm() { :; };';
    for (const text of HOSTILE) spawnSync("sh", ["-c", `${own} ${lineOf(text)}`], { cwd });
    expect(readdirSync(cwd)).toEqual([]);
  });

test("a shell reads the words of a line as they were given, and curl reads no file for a header", () => {
  const words = [...HOSTILE, "", "a b", "\\", '"', "~", "*", "!", "‹a›", "--a=b"];
  const { stdout } = spawnSync("sh", ["-c", shellLine("printf", "%s\\0", ...words)], { encoding: "utf8" });
  expect(stdout.split("\0").slice(0, -1)).toEqual(words);
  expect(curlOf({ headers: { "@/etc/hostname": "a" } })).not.toContain("@");
});
