/**
 * Compiles the commands and their packages with esbuild into `node_modules/.cache/assay`, by the state of the source
 * files and of the installed packages.
 */
const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } = require("node:fs");
const { join, resolve } = require("node:path");
const { pathToFileURL } = require("node:url");

const ROOT = resolve(__dirname, "..");
const CACHE = join(ROOT, "node_modules", ".cache", "assay");

const SOURCES = ["bench", "bin", "fixtures", "helpers", "mocks", "mutation", "reports", "runner", "tests"];

/** These are not code of a command, and change often. */
const LEFT_OUT = /^(?:out|self|order)$/;

/** Processes that started with an earlier state of the files may still load it. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Returns the paths of all source files, with their times and sizes. */
const statesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.test(entry.name) ? [] : statesBelow(path);
    if (!/\.(?:ts|cjs|json)$/.test(entry.name)) return [];
    const { mtimeMs, size } = statSync(path);
    return [`${path} ${mtimeMs} ${size}`];
  });

const stateOf = () => {
  const states = [...SOURCES.flatMap((name) => statesBelow(join(ROOT, name))), installed()];
  return createHash("sha256").update(states.join("\n")).digest("hex").slice(0, 16);
};

/** Returns npm's list of the installed packages, with their versions. */
const installed = () => {
  const path = join(ROOT, "node_modules", ".package-lock.json");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** The code finds its data by its own address, so each file keeps the address of its source. */
const keepsAddress = {
  name: "keeps-address",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8").replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(path).href),
      );
      return { contents, loader: "ts" };
    });
  },
};

/**
 * Packages that are not compiled: other processes load them too, they may be absent, or a command imports them only
 * when it needs them. Such an import of a compiled CommonJS package would have no named exports.
 */
const EXTERNAL = [
  ...["@playwright/*", "playwright", "playwright-core", "allure", "allure-*"],
  ...["esbuild", "node-forge", "tsx", "typescript", "yaml"],
];

/** Packages call `require`, which ES modules do not have. */
const REQUIRE =
  'import { createRequire as requireFrom } from "node:module";' +
  `const require = requireFrom(${JSON.stringify(pathToFileURL(__filename).href)});`;

const compile = async (folder) => {
  const aside = `${folder}.${process.pid}`;
  await require("esbuild").build({
    absWorkingDir: ROOT,
    entryPoints: readdirSync(join(ROOT, "bin")).flatMap((name) => (name.endsWith(".ts") ? `bin/${name}` : [])),
    outdir: aside,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: EXTERNAL,
    banner: { js: REQUIRE },
    sourcemap: "linked",
    logLevel: "silent",
    plugins: [keepsAddress],
  });
  rename(aside, folder);
};

/** Another process may have compiled the same state at the same time. */
const rename = (aside, folder) => {
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
};

const removeOld = (folder) => {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    if (!name.startsWith("commands-") || path === folder) continue;
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
};

/** Returns the folder with the compiled commands, or `undefined` if they can't be compiled. */
exports.compiledFolder = async () => {
  const folder = join(CACHE, `commands-${stateOf()}`);
  if (existsSync(folder)) return folder;
  try {
    mkdirSync(CACHE, { recursive: true });
    await compile(folder);
    removeOld(folder);
    return folder;
  } catch {
    // Loading the sources shows what is wrong with them.
    return undefined;
  }
};
