/** The documents for users: each command line runs in an empty folder with the package, and prints what the page shows. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "@playwright/test";
import { COMMANDS, ROOT } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { commandsIn, comparable, documents, patternOf, textOf } from "./documents.ts";
import { install, pack } from "./installed.ts";

test("the comparison finds a difference", () => {
  const pattern = patternOf(["took 4.9 s at 127.0.0.1:4010", "…", "f-1 … ends"]);
  expect(comparable("took 12 s at 127.0.0.1:80\nanything\nat all\nf-1 in between ends\n")).toMatch(pattern);
  expect(comparable("took 12 s at 127.0.0.1:80\nf-1 in between\n")).not.toMatch(pattern);
  expect(comparable("took 12 s\nf-1 ends")).not.toMatch(pattern);
});

/** Where the options are declared. */
const SOURCES = ["bin", "runner", "package", "mutation"];

test("each command and option in the documents exists", () => {
  const declared = SOURCES.flatMap((folder) => filesBelow(folder)).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/["`](?:-[a-z], )?(--[a-z-]+)/g)].map(
      ([, option = ""]) => option,
    ),
  );
  const known = new Set([...declared, "--help", "--version"]);
  expect(known.size).toBeGreaterThan(40);
  const unknown = documents().flatMap((document) =>
    [...textOf(document).matchAll(/npx assay ([a-z-]+)([^\n`]*)/g)].flatMap(([, command = "", rest = ""]) => {
      // What follows `--` belongs to another program.
      const options = rest.split(" -- ")[0]?.match(/(?<= )--[a-z-]+/g) ?? [];
      const isKnown = (COMMANDS as readonly string[]).includes(command);
      const wrong = [...(isKnown ? [] : [command]), ...options.filter((one) => !known.has(one))];
      return wrong.map((one) => `${document}: ${one}`);
    }),
  );
  expect(unknown).toEqual([]);
});

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

test.describe("each command prints what the page shows", () => {
  test.describe.configure({ mode: "default" });
  let folder = "";

  test.beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-documents-"));
    install(await pack(folder), folder);
    // `npx` takes a second for each command, and the tests of the package use the real one.
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "bin", "npx"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  });

  test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const environment = () => ({
    PATH: [join(folder, "bin"), join(folder, "node_modules", ".bin"), process.env.PATH].join(delimiter),
    HOME: folder,
    NO_COLOR: "1",
    MAX_REQUESTS_PER_SECOND: "10000",
  });

  const start = async (command: string, cwd: string): Promise<ChildProcess> => {
    const child = spawn("bash", ["-c", `exec ${command}`], { cwd, env: environment() });
    const ended = once(child, "close").then(() => {
      throw new Error(`${command} ended`);
    });
    ended.catch(() => {});
    await Promise.race([once(child.stdout, "data"), ended]);
    return child;
  };

  for (const document of documents()) {
    const commands = commandsIn(document);
    if (commands.length === 0) continue;
    test(document, LONG, async () => {
      const cwd = join(folder, document.replaceAll(/\W/g, "-"));
      mkdirSync(cwd);
      cpSync(new URL("files/", import.meta.url), cwd, { recursive: true });
      const running: ChildProcess[] = [];
      try {
        for (const { line, command, output } of commands) {
          if (/^npm (ci|install) /.test(command)) continue;
          if (command.endsWith(" &")) {
            running.push(await start(command.slice(0, -2), cwd));
            continue;
          }
          const { stdout } = spawnSync("bash", ["-c", `${command} 2>&1`], {
            cwd,
            encoding: "utf8",
            env: environment(),
          });
          const record = process.env.RECORDED;
          if (record) writeFileSync(record, `== ${document}:${line} ${command}\n${stdout}\n`, { flag: "a" });
          expect.soft(comparable(stdout), `${document}:${line} ${command}`).toMatch(patternOf(output));
        }
      } finally {
        for (const child of running) child.kill();
      }
    });
  }
});

test("README.md is short", () => {
  expect(readFileSync(join(ROOT, "README.md"), "utf8").split("\n").length).toBeLessThan(300);
});
