/**
 * Compiles the code of all processes, with its packages, with esbuild into `node_modules/.cache/assay`, by the state of
 * the source files and of the installed packages.
 */
const { createHash } = require("node:crypto");
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const { join, resolve } = require("node:path");
const { pathToFileURL } = require("node:url");

const ROOT = resolve(__dirname, "..");
const CACHE = join(ROOT, "node_modules", ".cache", "assay");

const SOURCES = ["bench", "bin", "fixtures", "helpers", "mocks", "mutation", "reports", "runner", "tests"];

const CONFIGURATION = "playwright.config.ts";

/** Code that other processes than those of the commands load: see `loadedCode`. */
const LOADED = [
  CONFIGURATION,
  "mutation/worker.ts",
  "reports/events-reporter.ts",
  "reports/merge.config.ts",
  "reports/reporter.ts",
];

/** These folders have no code of these processes, and change often. */
const LEFT_OUT = /^(?:out|self|order)$/;

/** Processes that started with an earlier state of the files may still load it. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Returns the paths of all source files, with their times and sizes. */
const statesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.test(entry.name) ? [] : statesBelow(path);
    return /\.(?:ts|cjs|json)$/.test(entry.name) ? [stateOf(path)] : [];
  });

const stateOf = (path) => {
  const { mtimeMs, size } = statSync(path);
  return `${path} ${mtimeMs} ${size}`;
};

const stateOfAll = () => {
  const states = [
    stateOf(join(ROOT, CONFIGURATION)),
    ...SOURCES.flatMap((name) => statesBelow(join(ROOT, name))),
    installed(),
  ];
  return createHash("sha256").update(states.join("\n")).digest("hex").slice(0, 16);
};

/** Returns npm's list of the installed packages, with their versions. */
const installed = () => {
  const path = join(ROOT, "node_modules", ".package-lock.json");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** The code finds its data by its own address, so each file keeps the address of its source. */
const keepsAddress = (exports.keepsAddress = {
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
});

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

const namesIn = (folder, ending) =>
  readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith(ending) ? [`${folder}/${name}`] : []));

const entryPoints = () => [
  ...namesIn("bin", ".ts"),
  ...LOADED,
  ...readdirSync(join(ROOT, "tests"), { withFileTypes: true }).flatMap(({ name }) =>
    LEFT_OUT.test(name) ? [] : namesIn(`tests/${name}`, ".spec.ts"),
  ),
];

const compile = async (folder) => {
  const aside = `${folder}.${process.pid}`;
  await require("esbuild").build({
    absWorkingDir: ROOT,
    entryPoints: entryPoints(),
    outdir: aside,
    outbase: ROOT,
    inject: ["helpers/run/show-sources.ts"],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: EXTERNAL,
    banner: { js: REQUIRE },
    define: { COMPILED_FOLDER: JSON.stringify(folder) },
    // Without links to the maps, no other library reads them for each trace.
    sourcemap: "external",
    // Traces name only the places.
    sourcesContent: false,
    logLevel: "silent",
    plugins: [keepsAddress],
  });
  // Without it, Node.js parses each file an additional time to find out that it is a module.
  writeFileSync(join(aside, "package.json"), '{"type":"module"}\n');
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
    if (!name.startsWith("compiled-") || path === folder) continue;
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
};

/** Returns the folder with the compiled code, or `undefined` if they can't be compiled. */
exports.compiledFolder = async () => {
  const folder = join(CACHE, `compiled-${stateOfAll()}`);
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
