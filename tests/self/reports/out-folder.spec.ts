/** The folder for results: a command removes and replaces only files that a command wrote. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { compile } from "../support/compile.ts";

const MANIFEST = ".assay-out.json";
const RESULT = "allure-results/3f2504e0-4f89-41d3-9a0c-0305e82c3301-result.json";

interface Claim {
  readonly replaces?: string | null;
  /** The files that the process writes, as paths below the folder. */
  readonly writes?: readonly string[];
  readonly ends?: "well" | "SIGKILL";
}

/** A process that claims the folder, as every command with --out does. */
const PROCESS = `
import { mkdirSync, writeFileSync } from "node:fs";
import { claimFolder } from "./reports/folder/out-folder.ts";
const { dir, replaces, writes, ends } = JSON.parse(process.argv[2]);
try {
  claimFolder(dir, replaces ?? undefined);
} catch (error) {
  process.stderr.write(error.message);
  process.exit();
}
for (const file of writes) {
  const path = dir + "/" + file;
  mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  writeFileSync(path, "ours");
}
process.stdout.write("ready");
if (ends === "SIGKILL") process.kill(process.pid, "SIGKILL");
if (ends === "never") setInterval(() => {}, 1000);
`;

let script = "";
test.beforeAll(async () => {
  script = test.info().outputPath("claim.mjs");
  await compile(PROCESS, script);
});

/** Runs a process that claims the folder. @returns its stderr */
const claim = (dir: string, { replaces = "run", writes = [], ends = "well" }: Claim = {}): string =>
  spawnSync(process.execPath, argumentsFor(dir, replaces, writes, ends), { encoding: "utf8" }).stderr;

const argumentsFor = (
  dir: string,
  replaces: string | null,
  writes: readonly string[],
  ends: string,
): string[] => [script, JSON.stringify({ dir, replaces, writes, ends })];

const fresh = (): string => test.info().outputPath("out");

const put = (dir: string, files: Readonly<Record<string, string>>): void => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
};

const filesOf = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== MANIFEST)
    .map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 1))
    .toSorted();

test("in a new folder, each run replaces the run before it", () => {
  const dir = join(fresh(), "below", "others");
  const old = [
    RESULT,
    "allure-report/index.html",
    "blob/report.zip",
    "crashes/a-b-0.txt",
    "certificate.json",
  ];
  expect(claim(dir, { writes: old })).toBe("");
  expect(filesOf(dir)).toEqual(old.toSorted());
  expect(claim(dir, { writes: ["junit.xml"] })).toBe("");
  expect(readdirSync(dir).toSorted()).toEqual([MANIFEST, "junit.xml"]);
});

for (const ends of ["well", "SIGKILL"] as const) {
  test(`the user's files next to the results of a run stay, even if the run ended with ${ends}`, () => {
    const dir = fresh();
    claim(dir, { writes: [RESULT, "allure-report/index.html", "certificate.json"], ends });
    const users = {
      "notes.md": "mine",
      "work/.git/HEAD": "mine",
      "work/code.ts": "mine",
      "allure-results/notes.json": "mine",
      "allure-report/.git/config": "mine",
    };
    put(dir, users);
    expect(claim(dir, { writes: ["certificate.json"] })).toBe("");
    expect(filesOf(dir)).toEqual([...Object.keys(users), "certificate.json"].toSorted());
    expect(claim(dir)).toBe("");
    expect(filesOf(dir)).toEqual(Object.keys(users).toSorted());
  });
}

const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { "work/.git/HEAD": "mine" },
  { "allure-results/mine.txt": "mine" },
  { "allure-report/index.html": "mine" },
  { "junit.xml": "<testsuites/>" },
  { "certificate.json": '{ "format": "another/1" }' },
  { "certificate.json": '{ "format": "certificate/1" }', "README.md": "mine" },
  { "certificate.json": '{ "format": "certificate/1" }', "work/.git/HEAD": "mine" },
  { "certificate.json": '{ "format": "certificate/1" }', "allure-report/mine.txt": "mine" },
  { ".assay-out.json": '{ "format": "of somebody else" }' },
];

for (const files of FOREIGN) {
  test(`a folder with foreign files is refused: ${Object.keys(files).join(" and ")}`, () => {
    const dir = fresh();
    put(dir, files);
    expect(claim(dir, { writes: ["certificate.json"] })).toMatch(
      /^--out .*: the folder is not empty, and we did not write .*\. Choose a new or an empty folder\.$/,
    );
    for (const [file, text] of Object.entries(files))
      expect(readFileSync(join(dir, file), "utf8")).toBe(text);
    expect(filesOf(dir)).toEqual(
      Object.keys(files)
        .filter((file) => file !== MANIFEST)
        .toSorted(),
    );
  });
}

test("a user's file that has the name of a result is not replaced", () => {
  const dir = fresh();
  claim(dir, { replaces: "mutation", writes: ["mutation.json"] });
  put(dir, { "junit.xml": "mine" });
  expect(claim(dir)).toContain("junit.xml, for example");
  expect(readFileSync(join(dir, "junit.xml"), "utf8")).toBe("mine");
});

test("the results of a version without a manifest are replaced", () => {
  const dir = fresh();
  put(dir, {
    "certificate.json": '{ "format": "certificate/1" }',
    "certificate.html": "",
    [RESULT]: "",
    "allure-report/index.html": "",
    "allure-report/data/test-results/0a.json": "",
    "work/.last-run.json": "",
    "mutation.json": '{ "format": "mutation/1" }',
    "self/a-test/output.txt": "",
  });
  expect(claim(dir)).toBe("");
  expect(filesOf(dir)).toEqual(["mutation.json", "self/a-test/output.txt"]);
});

test("a command replaces only its own results", () => {
  const dir = fresh();
  const others = ["leftovers.ndjson", "mutation.json"];
  claim(dir, { writes: [...others, "certificate.json"] });
  claim(dir);
  expect(filesOf(dir)).toEqual(others);
  claim(dir, { replaces: "mutation" });
  expect(filesOf(dir)).toEqual(["leftovers.ndjson"]);
});

test("a command that replaces its results at its end removes nothing, even after another was killed", () => {
  const dir = fresh();
  claim(dir, { writes: ["certificate.json"], ends: "SIGKILL" });
  put(dir, { "notes.md": "mine", "work/code.ts": "mine" });
  expect(claim(dir, { replaces: null, writes: ["mutation.json"] })).toBe("");
  expect(filesOf(dir)).toEqual(["certificate.json", "mutation.json", "notes.md", "work/code.ts"]);
});

test("a manifest can't make a command remove files outside its folder", () => {
  const dir = fresh();
  put(dir, { "../beside/index.html": "mine", "../outside.txt": "mine" });
  claim(dir, { writes: ["certificate.json"] });
  symlinkSync(join(dir, "..", "beside"), join(dir, "allure-report"));
  const files = ["certificate.json", "../outside.txt", "allure-report/index.html"];
  put(dir, { [MANIFEST]: JSON.stringify({ format: "assay-out/1", files, foreign: [] }) });
  expect(claim(dir)).toBe("");
  expect(existsSync(join(dir, "certificate.json"))).toBe(false);
  for (const file of ["../outside.txt", "../beside/index.html"]) {
    expect(readFileSync(join(dir, file), "utf8")).toBe("mine");
  }
});

test("the second of two concurrent processes is refused, but the claim of an ended process has no effect", async () => {
  const dir = fresh();
  const first = spawn(process.execPath, argumentsFor(dir, "run", ["certificate.json"], "never"));
  await new Promise((resolve) => first.stdout.once("data", resolve));
  const complaint = claim(dir, { replaces: "mutation" });
  expect(complaint).toContain(`process ${first.pid} is writing to this folder`);
  expect(complaint.split("\n")).toHaveLength(1);
  expect(filesOf(dir)).toContain("certificate.json");
  first.kill("SIGKILL");
  await new Promise((resolve) => first.once("close", resolve));
  expect(existsSync(join(dir, ".assay-out.lock"))).toBe(true);
  expect(claim(dir)).toBe("");
  expect(filesOf(dir)).toEqual([]);
});

/** Paths that can't be a folder; relative ones are below the folder of the test. */
const UNUSABLE: readonly { readonly about: string; readonly path: string; readonly says: RegExp }[] = [
  { about: "a file", path: "file", says: /a part of its path is not a folder/ },
  { about: "a path below a file", path: "file/below", says: /a part of its path is not a folder/ },
  { about: "a name that is too long", path: `new/${"a".repeat(300)}`, says: /its name is too long/ },
  { about: "a broken link", path: "link", says: /EEXIST|exists/ },
  {
    about: "a folder that the system does not allow",
    path: "/proc/new/out",
    says: /there is no such|no permission|can't be written/,
  },
  { about: "a folder without permission", path: "locked/out", says: /you have no permission/ },
];

for (const { about, path, says } of UNUSABLE) {
  test(`${about} is refused with one line, and no files are left`, () => {
    test.skip(path.startsWith("locked") && process.getuid?.() === 0, "root may write everywhere");
    const dir = fresh();
    put(dir, { file: "mine" });
    mkdirSync(join(dir, "locked"), { mode: 0o555 });
    symlinkSync(join(dir, "nowhere"), join(dir, "link"));
    const before = readdirSync(dir);
    const complaint = claim(path.startsWith("/") ? path : join(dir, path));
    expect(complaint).toMatch(/^--out .*: no results can be written there \(.*\)\. Choose another folder\.$/);
    expect(complaint).toMatch(says);
    expect(readdirSync(dir)).toEqual(before);
  });
}
