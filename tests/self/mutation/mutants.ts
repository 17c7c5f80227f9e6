/**
 * Changes one operator, constant or condition of the product at a time, and tells whether a self test then fails:
 * `npx tsx tests/self/mutation/mutants.ts > FILE`, and after a change of the tests `… --before=FILE`, which tries what was
 * killed in FILE, first by the spec that killed it, and exits with 1 if one survives. It tries the last commit, in a clone.
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { parseSync } from "oxc-parser";
import type { Json } from "../../../helpers/contract/json.ts";
import { groupBy } from "../../../helpers/contract/memoize.ts";
import { print } from "../../../reports/print.ts";
import { filesIn, ROOT, SELF_TESTS } from "../house/files.ts";
import { nodesIn } from "../house/syntax.ts";

const optionOf = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);

const SEED = Number(optionOf("seed") ?? 1);
/** The number of mutants of each area, and the longest time for one of them. */
const [EACH, LONGEST_MS] = [Number(optionOf("each") ?? 10), Number(optionOf("minutes") ?? 10) * 60_000];

const AREAS = [["helpers/checks", "helpers/trials"], ["mocks"], ["reports"]];

const OPERATORS: Readonly<Record<string, string>> = {
  ...{ "===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">" },
  ...{ "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "&&": "||", "||": "&&", "??": "&&" },
};

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

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

const mutantsOf = (path: string) => {
  const text = read(path);
  const nodes = nodesIn(parseSync(path, text).program, isCode).filter(isCode);
  return nodes
    .flatMap((node) => changesOf(node, text))
    .map(([start, end, by]) => {
      const place = `${path}:${text.slice(0, start).split("\n").length}`;
      const name = `${place}: ${JSON.stringify(text.slice(start, end))} → ${JSON.stringify(by)} at ${start}`;
      const digest = createHash("sha256").update(`${SEED} ${name}`).digest("hex");
      return { path, name, digest, mutated: text.slice(0, start) + by + text.slice(end) };
    });
};
type Mutant = ReturnType<typeof mutantsOf>[number];

const inOrder = (all: readonly Mutant[]): Mutant[] => all.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));

const chosen = inOrder(
  AREAS.flatMap((folders) => inOrder(folders.flatMap(filesIn).flatMap(mutantsOf)).slice(0, EACH)),
);

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

const clone = mkdtempSync(join(tmpdir(), "assay-mutants-"));
process.once("exit", () => rmSync(clone, { recursive: true, force: true }));
process.once("SIGINT", () => process.exit(130));
execFileSync("git", ["clone", "--quiet", "--shared", ROOT, clone]);
symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));

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

/** Returns the spec that fails twice with the mutant, and not without it. Few run at first: most mutants die near by. */
const killerOf = async ({ path, mutated }: Mutant, first: readonly string[]): Promise<string | undefined> => {
  const file = join(clone, path);
  const { atime, mtime } = statSync(file);
  const until = performance.now() + LONGEST_MS;
  let left = [...new Set([...first, ...specsReaching(path)])].filter((one) => FILES.includes(one));
  for (let many = first.length || 4; left.length > 0 && performance.now() < until; many *= 4) {
    const specs = left.slice(0, many);
    writeFileSync(file, mutated);
    const found = await failing(specs, until - performance.now());
    const killer = found && (await failing([found], LONGEST_MS));
    writeFileSync(file, read(path));
    utimesSync(file, atime, mtime);
    if (killer !== undefined && (await failing([killer], 600_000)) === undefined) return killer;
    left = left.filter((one) => one !== found && (found !== undefined || !specs.includes(one)));
  }
  return undefined;
};

const given = optionOf("before");
const lines = given === undefined ? [] : readFileSync(given, "utf8").matchAll(/^killed by (\S+): (.*)$/gm);
const killers = new Map([...lines].map(([, spec = "", name = ""]) => [name, [spec]]));
for (const mutant of chosen.filter(({ name }) => given === undefined || killers.has(name))) {
  const killer = await killerOf(mutant, killers.get(mutant.name) ?? []);
  print(`${killer === undefined ? "survived" : `killed by ${killer}`}: ${mutant.name}\n`);
  if (given !== undefined && killer === undefined) process.exitCode = 1;
}
