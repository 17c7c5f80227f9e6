/** Every string of a document is hostile: each command shows it, in each format, and nothing that reads the output obeys. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { type Command, ROOT, run, startMock, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { COMMAND, OBEYED } from "./modes-texts.ts";

const HOSTILE = "\u001b[31m\u202e\n::error::owned\n##[error]owned ##vso[task.a]b ##teamcity[a]";

type Json = Record<string, unknown>;

/** Adds the text to the strings of a document: to those without a meaning for the format, and to the names of an operation. */
const hostile = (node: unknown, key = ""): unknown => {
  if (typeof node === "string") return WORDS.includes(key) ? `${node}${HOSTILE}` : node;
  if (Array.isArray(node)) return node.map((one) => hostile(one, key));
  if (typeof node !== "object" || node === null) return node;
  const members = Object.entries(node).filter(([name]) => !name.startsWith("x-"));
  return Object.fromEntries(members.map(([name, value]) => [name, hostile(value, name)]));
};

const WORDS = ["title", "version", "description", "summary", "example", "tags"];

const document = (most: number): Json => {
  const text = readFileSync(join(ROOT, "schemas/card-enrollment/openapi.yaml"), "utf8");
  const { components, ...root } = parse(text) as Json & { readonly paths: Json; readonly components: Json };
  const schema = {
    type: "object",
    required: [HOSTILE],
    properties: {
      [HOSTILE]: { type: "string", maxLength: most, enum: [HOSTILE, `${most}${HOSTILE}`], default: HOSTILE },
      [`${most}${HOSTILE}`]: { type: "integer", description: HOSTILE, maximum: most },
    },
  };
  const content = { "application/json": { schema, example: { [HOSTILE]: HOSTILE } } };
  const added = {
    [`/things/{id}${HOSTILE}`]: {
      post: {
        operationId: `addThing${HOSTILE}`,
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string", maxLength: most } },
          {
            name: `q${HOSTILE}`,
            in: "query",
            schema: { type: "string", maxLength: most },
            description: HOSTILE,
          },
        ],
        requestBody: { required: true, content },
        responses: { 200: { description: HOSTILE, content, headers: { "x-a": { description: HOSTILE } } } },
      },
    },
  };
  const { paths, ...rest } = hostile(root) as Json & { readonly paths: Json };
  // The names of the operation that is tried stay, or nothing would be tried.
  return { ...rest, components: hostile(components), paths: { ...paths, ...added } };
};

const written = async () => {
  const folder = await temporary();
  const [old, revision] = [join(folder, "old.json"), join(folder, "new.json")];
  writeFileSync(old, JSON.stringify(document(9)));
  writeFileSync(revision, JSON.stringify(document(5)));
  return { folder, old, revision };
};

const expectHarmless = (text: string, about?: string): void =>
  expect(OBEYED.exec(text)?.[0] ?? COMMAND.exec(text)?.[0], about).toBeUndefined();

/** Runs a command on hostile texts. @returns its output, in which nothing is obeyed */
const harmless = async (command: Command, args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await run(command, args);
  for (const text of [stdout, stderr]) expectHarmless(text, `${command} ${args.join(" ")}`);
  return stdout + stderr;
};

const SHOWN = /owned/;

for (const format of ["text", "json", "markdown", "guide", "junit", "sarif"]) {
  test(`diff --format ${format}`, async () => {
    const { old, revision } = await written();
    expect(await harmless("diff", [old, revision, "--format", format])).toMatch(SHOWN);
  });
}

test("diff --format github: the only commands are its own", async () => {
  const { old, revision } = await written();
  const { stdout } = await run("diff", [old, revision, "--format", "github"]);
  expect(stdout).toMatch(SHOWN);
  for (const line of stdout.trimEnd().split("\n")) {
    expect(line).toMatch(/^::(?:error|warning|notice) file=[^:]*::/);
    expectHarmless(line.slice(2));
  }
});

const QUICK_RUN = ["--service", "card-enrollment", "--depth", "quick"];

test("certify and replay", async () => {
  const { folder, revision } = await written();
  const out = join(folder, "out");
  const given = [...QUICK_RUN, "--contract", `card-enrollment=${revision}`];
  expect(await harmless("certify", [...given, "--out", out])).toMatch(SHOWN);
  for (const file of ["certificate.json", "certificate.html", "certificate.md", "junit.xml"]) {
    const text = readFileSync(join(out, file), "utf8").replace(/<style>.*?<\/style>/s, "");
    expectHarmless(text, file);
  }
  await harmless("replay", [join(out, "certificate.json"), "f-1"]);
});

test("the plan and the upgrade of a run", LONG, async () => {
  test.slow();
  const { folder, old, revision } = await written();
  const given = [...QUICK_RUN, "--contract", `card-enrollment=${revision}`];
  await harmless("certify", [...given, "--plan"]);
  await harmless("certify", [...given, "--since", old, "--out", join(folder, "since")]);
});

test("mock", async () => {
  const { revision } = await written();
  const mock = await startMock(["--service", "card-enrollment", "--contract", `card-enrollment=${revision}`]);
  await mock.stop();
  expectHarmless(mock.complaint());
});
