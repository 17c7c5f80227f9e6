/**
 * Builds the package in `dist/`, before `npm pack`: the product as JavaScript, its data, and the types of its exports.
 * Data has the same place in `dist/` as in the checkout, so that the code finds it in the same way.
 */
require("../bin/need-packages.cjs");
const { execFileSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { dirname, join, relative, resolve, sep } = require("node:path");
const { compilePackage } = require("../bin/compiled.cjs");
const { typesOf } = require("./types.cjs");

const ROOT = resolve(__dirname, "..");
const DIST = join(ROOT, "dist");

/** The entries of `exports` in package.json. */
const EXPORTED = ["index", "sandbox", "playwright"];

/** Code that only a checkout needs. */
const LEFT_OUT = /^bin\/(?:bench|check|mutation)\.ts$|^mutation\//;

/** Files that the code reads, by folder. */
const DATA = {
  schemas: /./,
  "mutation/order": /./,
  reports: /^(?!out\/).*(?<!tsconfig)\.(?:json|css|svg)$|\/script\/\w+\.js$/,
};

const filesBelow = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const copyData = () => {
  for (const [folder, isData] of Object.entries(DATA)) {
    for (const path of filesBelow(folder)) {
      const own = relative(ROOT, path).replaceAll(sep, "/");
      if (isData.test(own.slice(folder.length + 1))) cpSync(path, join(DIST, own));
    }
  }
};

/** Contracts are cached by the digest of the code that reads them: see `helpers/contract/documents/cache.ts`. */
const noteDigest = () => {
  const hash = createHash("sha256");
  const folder = "helpers/contract";
  for (const path of filesBelow(folder).sort()) hash.update(readFileSync(path));
  mkdirSync(join(DIST, folder), { recursive: true });
  writeFileSync(join(DIST, folder, "digest.txt"), hash.digest("hex"));
};

const declareTypes = () => {
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", join(ROOT, "package")], { stdio: "inherit" });
  const reached = new Set();
  for (const name of EXPORTED) reach(join(DIST, "package", `${name}.d.ts`), reached);
  for (const path of filesBelow("dist")) if (path.endsWith(".d.ts") && !reached.has(path)) rmSync(path);
};

/** Adds the declarations that a declaration imports. */
const reach = (file, reached) => {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g))
    reach(resolve(dirname(file), path.replace(/\.[jt]s$/, ".d.ts")), reached);
};

/** Declares the types of each service for its clients, from its contract. */
const declareServices = async () => {
  const { tsImport } = await import("tsx/esm/api");
  const own = (path) => tsImport(`../helpers/contract/${path}`, __filename);
  const [{ loadContract }, { services }] = await Promise.all([own("load.ts"), own("services.ts")]);
  mkdirSync(join(DIST, "package", "types"), { recursive: true });
  for (const service of services()) {
    const types = await typesOf(await loadContract(service));
    writeFileSync(join(DIST, "package", "types", `${service}.d.ts`), types);
  }
};

const build = async () => {
  rmSync(DIST, { recursive: true, force: true });
  const own = ["assay", ...EXPORTED].map((name) => `package/${name}.ts`);
  await compilePackage(DIST, own, (path) => LEFT_OUT.test(path));
  copyData();
  noteDigest();
  declareTypes();
  await declareServices();
};

void build();
