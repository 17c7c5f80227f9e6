/**
 * Changes one operator, constant or condition of the product at a time, on lines that a run executes, and tells whether a
 * self test then fails: `npx tsx tests/self/mutation/mutants.ts > tests/self/mutation/mutants.txt`, and after a change of the
 * tests `… --before=tests/self/mutation/mutants.txt`, which tries what was killed, first by the spec that killed it, and exits
 * with 1 if one survives. It tries the last commit, in a clone.
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { eachMapping, TraceMap } from "@jridgewell/trace-mapping";
import { parseSync } from "oxc-parser";
import type { Json } from "../../../helpers/contract/json.ts";
import { getOrInsert, groupBy } from "../../../helpers/contract/memoize.ts";
import { print } from "../../../reports/print.ts";
import { filesIn, ROOT, SELF_TESTS } from "../house/files.ts";
import { nodesIn } from "../house/syntax.ts";

const optionOf = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);

const SEED = Number(optionOf("seed") ?? 1);
/** The number of mutants of each area, and the longest time for one of them. */
const [EACH, LONGEST_MS] = [Number(optionOf("each") ?? 10), Number(optionOf("minutes") ?? 2) * 60_000];

/** The folders of each area, and the self tests that try it without starting many processes. */
const AREAS: readonly (readonly [folders: readonly string[], tests: RegExp])[] = [
  [["reports"], /\/self\/reports\/(?!allure|certificate-(?:html|commands)\.|crashes|out-folder|reporter)/],
  [["mocks"], /\/self\/sandbox\/(?!hostile)/],
  [["helpers/checks", "helpers/trials"], /\/self\/(?:checks|from-contract|generate|occasions|sequences)\//],
];

const OPERATORS: Readonly<Record<string, string>> = {
  ...{ "===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">" },
  ...{ "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "&&": "||", "||": "&&", "??": "&&" },
};

const read = (path: string): string => fs.readFileSync(join(ROOT, path), "utf8");

type Change = readonly [start: number, end: number, by: string];

/** Returns how a mutant changes the text at a node, if there is a way. */
const changesOf = (node: Json, text: string): Change[] => {
  const { type, operator, value, left, right, test, argument } = node as Json &
    Readonly<Record<string, Json>>;
  const textOf = (one?: Json): string => text.slice(Number(one?.start), Number(one?.end));
  const whole = (by: unknown): Change[] => [[Number(node.start), Number(node.end), String(by)]];
  const by = OPERATORS[String(operator)];
  if (/^(Binary|Logical)Expression$/.test(String(type)) && by !== undefined) {
    const at = text.indexOf(String(operator), Number(left?.end));
    return at < Number(right?.start) ? [[at, at + String(operator).length, by]] : [];
  }
  if (/^(IfStatement|ConditionalExpression)$/.test(String(type)))
    return [[Number(test?.start), Number(test?.end), `!(${textOf(test)})`]];
  if (String(type) === "UnaryExpression" && String(operator) === "!") return whole(textOf(argument));
  if (String(type) !== "Literal" || !["boolean", "number"].includes(typeof value)) return [];
  return whole(typeof value === "boolean" ? !value : Number(value) + 1);
};

const isCode = ({ type }: Json): boolean => !/^TS(?!As|Satisfies|NonNull)/.test(String(type));

/** Returns the mutants of a file. Their names have the text of their line, which others changes of the file leave. */
const mutantsOf = (path: string) => {
  const text = read(path);
  const nodes = nodesIn(parseSync(path, text).program, isCode).filter(isCode);
  return nodes
    .flatMap((node) => changesOf(node, text))
    .map(([start, end, by]) => {
      const [before = "", after = ""] = [
        text.slice(0, start).split("\n").at(-1),
        text.slice(end).split("\n")[0],
      ];
      const change = `«${text.slice(start, end)} → ${by}»`.replaceAll(/\s+/g, " ");
      const name = `${path}: ${before.trimStart()}${change}${after}`;
      const digest = createHash("sha256").update(`${SEED} ${name}`).digest("hex");
      const line = text.slice(0, start).split("\n").length;
      return { path, line, name, digest, mutated: text.slice(0, start) + by + text.slice(end) };
    });
};
type Mutant = ReturnType<typeof mutantsOf>[number];

const FOLDERS = "bin extensions fixtures helpers mocks mutation reports runner tests".split(" ");
const FILES = FOLDERS.flatMap(filesIn);

/** Code that files load by name: the product the code of services, and tests the commands. */
const LOADED: Readonly<Record<string, RegExp>> = {
  "helpers/contract/code.ts":
    /^(?:mocks|fixtures|tests|extensions)\/[^/]+\/(?:service|policy|index|[^/]*\.spec)\.ts$/,
  "tests/self/support/command.ts": /(?:^|\/)bin\/|^reports\/folder\/reporter\.ts$/,
};

const importsIn = (path: string): string[] =>
  [...read(path).matchAll(/(?:from|import) ?\(?"(\.[^"]+\.ts)"/g)].map(([, to = ""]) =>
    normalize(join(dirname(path), to)),
  );
const imports = FILES.flatMap((from) => importsIn(from).map((to) => ({ from, to })));
const loads = Object.entries(LOADED).flatMap(([from, names]) =>
  FILES.filter((one) => names.test(one)).map((to) => ({ from, to })),
);

/** Returns the specs that reach a file, by imports and then also by command, the nearest first. */
const specsReaching = (path: string): string[] =>
  [imports, [...imports, ...loads]].flatMap((steps) => {
    const bySteps = groupBy(steps, ({ to }) => to);
    const found = new Set([path]);
    for (const at of found) for (const { from } of bySteps.get(at) ?? []) found.add(from);
    return [...found].filter((one) => SELF_TESTS.test(one) && /^(?!.*\/house\/).*\.spec\.ts$/.test(one));
  });

const clone = fs.mkdtempSync(join(tmpdir(), "assay-mutants-"));
process.once("exit", () => fs.rmSync(clone, { recursive: true, force: true }));
process.once("SIGINT", () => process.exit(130));
execFileSync("git", ["clone", "--quiet", "--shared", ROOT, clone]);
// The clone has a cache of its own, which goes with it.
fs.mkdirSync(join(clone, "node_modules"));
for (const one of fs.readdirSync(join(ROOT, "node_modules")).filter((name) => name !== ".cache"))
  fs.symlinkSync(join(ROOT, "node_modules", one), join(clone, "node_modules", one));

/** Returns the lines that a run at quick depth executes in any of its processes, as `path:line`. */
const executedLines = (): Set<string> => {
  const folder = join(clone, "test-results", "coverage");
  const args = ["bin/start.cjs", "certify", "--depth", "quick", "--out", join(clone, "test-results", "out")];
  execFileSync(process.execPath, args, {
    ...{ cwd: clone, stdio: "ignore", env: { ...process.env, NODE_V8_COVERAGE: folder } },
  });
  const lines = new Set<string>();
  for (const one of fs.readdirSync(folder)) {
    const { result } = JSON.parse(fs.readFileSync(join(folder, one), "utf8")) as Coverage;
    for (const { url, functions } of result.filter(({ url }) => url.includes("/.cache/assay/compiled-"))) {
      const file = fileURLToPath(url);
      const map = new TraceMap(fs.readFileSync(`${file}.map`, "utf8"), file);
      const text = fs.readFileSync(file, "utf8");
      const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
      const counts = new Int32Array(text.length);
      // A later range is within the earlier one, or beside it.
      const ranges = functions.flatMap((each) => each.ranges).sort((a, b) => a.startOffset - b.startOffset);
      for (const { startOffset, endOffset, count } of ranges) counts.fill(count, startOffset, endOffset);
      eachMapping(map, ({ source, originalLine, generatedLine, generatedColumn }) => {
        const count = counts[(starts[generatedLine - 1] ?? 0) + generatedColumn];
        if (source && count) lines.add(`${source.slice(clone.length + 1)}:${originalLine}`);
      });
    }
  }
  return lines;
};

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly {
        readonly startOffset: number;
        readonly endOffset: number;
        readonly count: number;
      }[];
    }[];
  }[];
}

/** Returns the spec in which a test failed, if one did within so many milliseconds. */
const failing = async (specs: readonly string[], limit: number): Promise<string | undefined> => {
  const options = `--project default --max-failures 1 --reporter line --global-timeout ${Math.max(1, Math.round(limit))}`;
  const args = ["tests/self/run.cjs", ...specs, ...options.split(" ")];
  const child = spawn(process.execPath, args, { cwd: clone, stdio: ["ignore", "pipe", "inherit"] });
  const output: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text));
  const [code] = await once(child, "close");
  const [, spec] = /^ +1\) .*?((?:tests\/self|extensions)\/\S+?\.spec\.ts):/m.exec(output.join("")) ?? [];
  // A file that can't be loaded is an error outside the tests.
  return spec ?? (code !== 0 && !output.join("").includes("Timed out waiting") ? specs[0] : undefined);
};

const unfailing = new Map<string, Promise<boolean>>();
const passesAlone = async (spec: string): Promise<boolean> => (await failing([spec], 600_000)) === undefined;

/** Returns the spec that fails with the mutant, also alone, and not without it. */
const killerOf = async ({ path, mutated }: Mutant, first: readonly string[], tests: RegExp) => {
  const file = join(clone, path);
  const { atime, mtime } = fs.statSync(file);
  const last = specsReaching(path).filter((one) => tests.test(one) && !first.includes(one));
  for (const specs of [first.filter((one) => FILES.includes(one)), last].filter((some) => some.length > 0)) {
    fs.writeFileSync(file, mutated);
    const found = await failing(specs, LONGEST_MS);
    const killer = found && specs.length > 1 ? await failing([found], LONGEST_MS) : found;
    fs.writeFileSync(file, read(path));
    fs.utimesSync(file, atime, mtime);
    if (killer !== undefined && (await getOrInsert(unfailing, killer, () => passesAlone(killer))))
      return killer;
  }
  return undefined;
};

const inOrder = (all: readonly Mutant[]): Mutant[] => all.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));

const given = optionOf("before");
const lines = given === undefined ? [] : fs.readFileSync(given, "utf8").matchAll(/^killed by (\S+): (.*)$/gm);
const killers = new Map([...lines].map(([, spec = "", name = ""]) => [name, [spec]]));
const executed = given === undefined ? executedLines() : undefined;
const isChosen = ({ path, line, name }: Mutant) => executed?.has(`${path}:${line}`) ?? killers.has(name);
for (const [folders, tests] of AREAS) {
  for (const mutant of inOrder(folders.flatMap(filesIn).flatMap(mutantsOf).filter(isChosen)).slice(0, EACH)) {
    const killer = await killerOf(mutant, killers.get(mutant.name) ?? [], tests);
    print(`${killer === undefined ? "survived" : `killed by ${killer}`}: ${mutant.name}\n`);
    if (given !== undefined && killer === undefined) process.exitCode = 1;
  }
}
