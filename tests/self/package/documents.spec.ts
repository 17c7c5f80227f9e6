/** The documents for users: each command line runs as a reader types it, and prints what the page shows. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { copySources } from "../support/checkout.ts";
import { COMMANDS, ROOT } from "../support/command.ts";
import { PROOF, sizeInLane } from "../support/lanes.ts";
import { blocksIn, commandsIn, comparable, documents, patternOf, textOf } from "./documents.ts";
import { isWithoutRegistry, NETWORK } from "./installed.ts";

test("the comparison finds a difference", () => {
  const pattern = patternOf(["took 4.9 s at 127.0.0.1:4010", "…", "f-1 … ends"]);
  expect(comparable("took 12 s at 127.0.0.1:80\nanything\nat all\nf-1 in between ends\n")).toMatch(pattern);
  expect(comparable("took 12 s at 127.0.0.1:80\nf-1 in between\n")).not.toMatch(pattern);
  expect(comparable("took 12 s\nf-1 ends")).not.toMatch(pattern);
});

/** Where the options are declared. */
const SOURCES = ["bin", "extensions", "runner", "package", "mutation"];

test("each command and option in the documents exists", () => {
  const declared = SOURCES.flatMap((folder) => filesBelow(folder)).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/["`](?:-[a-z], )?(--[a-z-]+)/g)].map(
      ([, option = ""]) => option,
    ),
  );
  const known = new Set([...declared, "--help", "--version"]);
  expect(known.size).toBeGreaterThan(40);
  const unknown = documents().flatMap((document) =>
    [...asOfPackage(textOf(document)).matchAll(/npx assay ([a-z-]+)([^\n`]*)/g)].flatMap(
      ([, command = "", rest = ""]) => {
        // What follows `--` belongs to another program.
        const options = rest.split(" -- ")[0]?.match(/(?<= )--[a-z-]+/g) ?? [];
        const isKnown = (COMMANDS as readonly string[]).includes(command);
        const wrong = [...(isKnown ? [] : [command]), ...options.filter((one) => !known.has(one))];
        return wrong.map((one) => `${document}: ${one}`);
      },
    ),
  );
  expect(unknown).toEqual([]);
});

/** Writes each command of the checkout as the command of the package. */
const asOfPackage = (text: string): string => text.replaceAll(/npm run ([a-z-]+)(?: --)?/g, "npx assay $1");

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(ROOT, folder, name));

test("each link between the documents leads to a file and a heading", () => {
  const anchors = (text: string): string[] =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
  const broken = documents().flatMap((document) =>
    [...textOf(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(
      ([, path = "", anchor]) => {
        const from = document.startsWith("docs/") ? "docs" : "";
        const file = path === "" ? document : join(from, path);
        if (!existsSync(join(ROOT, file))) return [`${document}: ${path}`];
        const isThere = anchor === undefined || anchors(textOf(file)).includes(anchor);
        return isThere ? [] : [`${document}: ${path}#${anchor}`];
      },
    ),
  );
  expect(broken).toEqual([]);
});

/** Runs commands as one shell would: each starts in the folder in which the one before ended. */
const openShell = (folder: string, root: string) => {
  const ended = join(folder, "ended-in");
  const running: ChildProcess[] = [];
  const home = join(folder, "home");
  const env = {
    ...NETWORK,
    PATH: process.env.PATH,
    HOME: home,
    npm_config_cache: join(home, "cache"),
    NO_COLOR: "1",
  };
  let cwd = root;
  mkdirSync(home);
  return {
    run(command: string): { readonly output: string; readonly code: number | null } {
      const script = `{ ${command}\n} 2>&1; code=$?; pwd > "${ended}"; exit $code`;
      const { stdout, status } = spawnSync("bash", ["-c", script], { cwd, encoding: "utf8", env });
      cwd = readFileSync(ended, "utf8").trim();
      return { output: stdout, code: status };
    },
    /** Starts a command in the background, and waits until it prints something. */
    async start(command: string): Promise<void> {
      const child = spawn("bash", ["-c", `exec ${command}`], { cwd, env, detached: true });
      running.push(child);
      const closed = once(child, "close").then(() => {
        throw new Error(`${command} ended`);
      });
      closed.catch(() => {});
      await Promise.race([once(child.stdout, "data"), closed]);
    },
    /** Ends what is still running, with the processes that npx started. */
    close(): void {
      for (const { pid, exitCode } of running) if (pid !== undefined && exitCode === null) process.kill(-pid);
    },
  };
};

const IN_BACKGROUND = / &$/;

/** The command that needs neither the registry nor much time. */
const SAMPLE = "npm run certify -- --demo";

test(
  "in a fresh clone, each command prints what its page shows, one page after the other",
  PROOF,
  async () => {
    const all = documents().flatMap((document) =>
      commandsIn(document).map((shown) => ({ document, ...shown })),
    );
    const isWhole = sizeInLane({ sample: false, full: true });
    const commands = all.filter(({ command }) => isWhole || command === SAMPLE);
    expect(commands.length).toBeGreaterThan(isWhole ? 30 : 0);
    const folder = mkdtempSync(join(tmpdir(), "assay-documents-"));
    const root = join(folder, "assay");
    await copySources(root);
    if (!isWhole) symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
    const shell = openShell(folder, root);
    try {
      for (const { document, line, command, output } of commands) {
        if (IN_BACKGROUND.test(command)) {
          await shell.start(command.replace(IN_BACKGROUND, ""));
          continue;
        }
        const printed = shell.run(command);
        const record = process.env.RECORDED;
        if (record)
          writeFileSync(record, `== ${document}:${line} ${command}\n${printed.output}\n`, { flag: "a" });
        test.skip(printed.code !== 0 && isWithoutRegistry(printed.output), "no npm registry");
        expect.soft(comparable(printed.output), `${document}:${line} ${command}`).toMatch(patternOf(output));
        if (output.join("").trim() === "")
          expect.soft(printed, `${document}:${line}`).toMatchObject({ code: 0 });
      }
    } finally {
      shell.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("each block of YAML is an accept list, or jobs that give the action inputs that it has", () => {
  const { inputs } = parse(textOf("action.yml")) as { readonly inputs: object };
  const isAccepted = new Ajv({ strict: false, formats: { date: true } }).compile(
    JSON.parse(textOf("schemas/accept.schema.json")),
  );
  const unknown = documents().flatMap((document) =>
    blocksIn(document, "yaml").flatMap((block) => {
      const content: unknown = parse(block);
      if (Array.isArray(content)) return isAccepted(content) ? [] : [document];
      const jobs = (content as { jobs?: object }).jobs ?? {};
      const steps = Object.values(jobs).flatMap(({ steps: all }) => all);
      const given = steps.filter(({ uses = "" }) => uses === "./node_modules/assay");
      return given.flatMap((step) => Object.keys(step.with)).filter((name) => !(name in inputs));
    }),
  );
  expect(unknown).toEqual([]);
});

/** Words of the project that a reader does not know. */
const OWN_WORDS =
  /right (?:server|client)|convict|acquit|oblig(?:e|es|ed) |occasion|keep it yourself|proved against/i;

test("the documents say what happens in words that a reader knows", () => {
  const found = documents().flatMap((document) =>
    textOf(document)
      .split("\n")
      .flatMap((text, index) => (OWN_WORDS.test(text) ? [`${document}:${index + 1}: ${text}`] : [])),
  );
  expect(OWN_WORDS.test("It acquits a right server.")).toBe(true);
  expect(found).toEqual([]);
});

test("the version of the package, or the one that is in preparation, has the first section of CHANGELOG.md", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const [, first = ""] = /^## (.+)$/m.exec(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8")) ?? [];
  expect(first).toMatch(
    new RegExp(`^(Unreleased|${version.replaceAll(".", "\\.")} - \\d{4}-\\d\\d-\\d\\d)$`),
  );
});

test("README.md is short", () => {
  expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(130);
});
