/**
 * Measures the code and holds its limits, as a part of `npm run check`: prints a line for each measure, and exits with 1
 * if one is above its limit. `budgets.json` has the limits by folder. A row may rise if another falls by as much in the
 * same commit: `npx tsx tests/self/house/size.ts --write` writes the numbers of today.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { print } from "../../../reports/print.ts";
import { circlesBetweenFolders } from "./circles.ts";
import { filesEntered } from "./entered.ts";
import { ROOT, SELF_TESTS } from "./files.ts";

const BUDGETS = "tests/self/house/budgets.json";

/** The row of all folders that have no row of their own, because they are small. */
const OTHERS = "others";

/** Numbers by folder, by kind. */
type Budgets = Readonly<Record<Kind, Readonly<Record<string, number>>>>;
type Kind = "code" | "self tests" | "data" | typeof IMPORTED;

/** The rows of this kind count folders and files of the core that an extension may import, instead of lines. */
const IMPORTED = "parts of the core that extensions may import";

const CODE = /\.[cm]?[jt]s$/;
const DATA = /\.(?:json|ya?ml|css|html)$/;

/** Results of whole runs, lists of packages, these budgets, and the promises, which grow with the documents. */
const NO_DATA_OF_OURS =
  /^(?:mutation\/order|reports\/matrix-scores|package-lock|schemas\/[^/]+\/requirement-sets|tests\/self|extensions\/[^/]+\/tests)/;

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 28 });

const tracked = git("ls-files", "-z")
  .split("\0")
  .filter((path) => path !== "");

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const kindOf = (path: string): Kind | undefined => {
  if (CODE.test(path)) return SELF_TESTS.test(path) ? "self tests" : "code";
  return DATA.test(path) && !NO_DATA_OF_OURS.test(path) ? "data" : undefined;
};

/** Returns the lines of today in the rows of the budgets. */
const measured = (budgets: Budgets): Budgets => {
  const kinds = Object.entries(budgets).map(([kind, rows]) => {
    if (kind === IMPORTED) return [kind, imported()];
    const folders = Object.keys(rows).sort((a, b) => b.length - a.length);
    const lines: Record<string, number> = Object.fromEntries(Object.keys(rows).map((row) => [row, 0]));
    for (const path of tracked.filter((one) => kindOf(one) === kind)) {
      const row = folders.find((folder) => path.startsWith(`${folder}/`)) ?? OTHERS;
      lines[row] = (lines[row] ?? 0) + read(path).split("\n").length - 1;
    }
    return [kind, lines];
  });
  return Object.fromEntries(kinds);
};

/** The lists in biome.json of what extensions may import of the core: exceptions of a pattern that forbids the rest. */
const LISTS =
  /"includes": \["(extensions[^"]*)"(?:(?!"includes")[\s\S])*?"group": \[([^\]]*)\],\s*"message": "extensions import folders/g;

/** Counts the folders and files in each list. */
const imported = (): Record<string, number> =>
  Object.fromEntries(
    [...read("biome.json").matchAll(LISTS)].map(([, wall = "", group = ""]) => [
      wall,
      [...group.matchAll(/"!([^"]*)"/g)].flatMap(([, parts = ""]) => parts.split(",")).length,
    ]),
  );

const sumOf = (budgets: Budgets, kind: Kind): number =>
  Object.values(budgets[kind]).reduce((sum, lines) => sum + lines, 0);

/** Returns the budgets of all commits that changed them, the newest first. A shallow clone has the last one only. */
const earlierBudgets = (): readonly Budgets[] =>
  git("log", "--format=%H", "--", BUDGETS)
    .split("\n")
    .filter((commit) => commit !== "")
    .map((commit) => JSON.parse(git("show", `${commit}:${BUDGETS}`)) as Budgets);

/** Returns by how many lines a sum has risen, added up over all commits. */
const rise = (kind: Kind, versions: readonly Budgets[]): number =>
  versions
    .slice(1)
    .reduce(
      (sum, older, index) => sum + Math.max(0, sumOf(versions[index] as Budgets, kind) - sumOf(older, kind)),
      0,
    );

const typeNames = (): number => {
  const texts = tracked.filter((path) => path.endsWith(".ts") && kindOf(path) === "code").map(read);
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^(?:export )?(?:type|interface) (\w+)/gm)].map(([, name]) => name),
  );
  return new Set(names).size;
};

/** Shows a measure; without a value below its limit, only if it is above. */
const show = (name: string, is: number, limit: number, isQuiet = false): void => {
  const isAbove = is > limit;
  if (isAbove) process.exitCode = 1;
  if (isQuiet && !isAbove) return;
  print(`${isAbove ? "✗" : "✓"} ${name}: ${is.toLocaleString("en")} (limit ${limit.toLocaleString("en")})\n`);
};

const budgets = JSON.parse(read(BUDGETS)) as Budgets;
const lines = measured(budgets);
if (process.argv.includes("--write"))
  writeFileSync(join(ROOT, BUDGETS), `${JSON.stringify(lines, null, 2)}\n`);
const held = process.argv.includes("--write") ? lines : budgets;
const versions = [held, ...earlierBudgets()];
for (const kind of Object.keys(held) as Kind[]) {
  const what = kind === IMPORTED ? kind : `lines of ${kind}`;
  show(what, sumOf(lines, kind), sumOf(held, kind));
  for (const [row, limit] of Object.entries(held[kind])) {
    show(`${what} in ${row}`, lines[kind][row] ?? 0, limit, true);
  }
  const known = versions.filter((one) => kind in one);
  show(`${what}: rise of the sum in the commits of ${BUDGETS}`, rise(kind, known), 0, true);
}
show("names of types", typeNames(), 800);
show("circles between folders", circlesBetweenFolders(tracked).length, 0);
show("files that one probe enters", await filesEntered(), 134);
