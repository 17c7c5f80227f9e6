/**
 * Builds the package in `dist/`, before `npm pack`: the product as JavaScript, its data, and the types of its exports.
 * `dist/` has the folders of the checkout, so that each file finds the others in the same way.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DIST = join(ROOT, "dist");

/** The entries of `exports` in package.json. */
const EXPORTED = ["index", "sandbox", "playwright"];

/** Files that the code reads: all of `schemas`, the order of the trials, and these files of `reports`. */
const READ_BY_REPORTS = /\.(?:json|css|svg)$|[\\/]script[\\/]\w+\.js$/;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const compile = (): void => {
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", join(ROOT, "package")], { stdio: "inherit" });
};

/** Removes code that only the checkout's commands load. */
const keepOnly = (folder: string, names: readonly string[]): void => {
  for (const file of filesBelow(folder)) if (!names.includes(basename(file))) rmSync(file);
};

const copyData = (): void => {
  for (const folder of ["schemas", join("mutation", "order")])
    cpSync(join(ROOT, folder), join(DIST, folder), { recursive: true });
  const out = join(ROOT, "reports", "out");
  for (const file of filesBelow(join(ROOT, "reports"))) {
    if (file.startsWith(out) || file.endsWith("tsconfig.json") || !READ_BY_REPORTS.test(file)) continue;
    cpSync(file, join(DIST, file.slice(ROOT.length)));
  }
};

/** Adds the declarations that a declaration imports. */
const reach = (file: string, reached: Set<string>): Set<string> => {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
    reach(resolve(dirname(file), path.replace(/\.[jt]s$/, ".d.ts")), reached);
  }
  return reached;
};

/** Copies the page of the sandbox's admin interface. */
const copyPage = (): void => {
  const page = join("mocks", "engine", "admin", "page");
  for (const name of ["page.html", "page.css", "page.js"])
    cpSync(join(ROOT, page, name), join(DIST, page, name));
};

/** Removes the declarations that no export needs. */
const pruneDeclarations = (): void => {
  const reached = new Set<string>();
  for (const name of EXPORTED) reach(join(DIST, "package", `${name}.d.ts`), reached);
  for (const file of filesBelow(DIST)) if (file.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
};

if (existsSync(DIST)) rmSync(DIST, { recursive: true });
compile();
keepOnly(join(DIST, "mutation"), ["workbench.js"]);
copyData();
copyPage();
pruneDeclarations();
