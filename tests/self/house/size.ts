/**
 * Measures the code and holds its limits, as a part of `npm run check`: prints a line for each measure, and exits with 1
 * if one is above its limit. A change that raises a limit says in its commit what it gains.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { print } from "../../../reports/print.ts";
import { circlesBetweenFolders } from "./circles.ts";
import { filesEntered } from "./entered.ts";
import { ROOT } from "./files.ts";

interface Measure {
  readonly name: string;
  readonly limit: number;
  readonly value: () => number | Promise<number>;
}

const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0");

const CODE = /\.[cm]?[jt]s$/;
const DATA = /\.(?:json|ya?ml)$/;
const SELF_TESTS = /^tests\/self\//;

/** Results of whole runs, lists of packages, and the promises themselves, which grow with the documents. */
const NO_DATA_OF_OURS =
  /^(?:mutation\/order|reports\/matrix-scores|package-lock|schemas\/[^/]+\/requirement-sets)/;

const textsOf = (isWanted: (path: string) => boolean): string[] =>
  tracked
    .filter((path) => path !== "" && isWanted(path))
    .map((path) => readFileSync(join(ROOT, path), "utf8"));

const linesOf = (isWanted: (path: string) => boolean): number =>
  textsOf(isWanted).reduce((sum, text) => sum + text.split("\n").length - 1, 0);

const isProduct = (path: string): boolean => !SELF_TESTS.test(path);

const typeNames = (): number => {
  const texts = textsOf((path) => path.endsWith(".ts") && isProduct(path));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^(?:export )?(?:type|interface) (\w+)/gm)].map(([, name]) => name),
  );
  return new Set(names).size;
};

const MEASURES: readonly Measure[] = [
  {
    name: "lines of code without the self tests",
    limit: 119_427,
    value: () => linesOf((path) => CODE.test(path) && isProduct(path)),
  },
  {
    name: "lines of data beside the code",
    limit: 30_137,
    value: () => linesOf((path) => DATA.test(path) && isProduct(path) && !NO_DATA_OF_OURS.test(path)),
  },
  {
    name: "lines of the self tests",
    limit: 38_433,
    value: () => linesOf((path) => CODE.test(path) && SELF_TESTS.test(path)),
  },
  { name: "names of types", limit: 800, value: typeNames },
  { name: "circles between folders", limit: 0, value: () => circlesBetweenFolders(tracked).length },
  { name: "files that one probe enters", limit: 134, value: filesEntered },
];

for (const { name, limit, value } of MEASURES) {
  const is = await value();
  print(
    `${is > limit ? "✗" : "✓"} ${name}: ${is.toLocaleString("en")} (limit ${limit.toLocaleString("en")})\n`,
  );
  if (is > limit) process.exitCode = 1;
}
