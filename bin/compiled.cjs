/**
 * Compiles the code of all processes, of the self tests and of the package (`package/build.cjs`) with esbuild: in a
 * checkout with its packages into `node_modules/.cache/assay`, by the state of the source files and of the installed
 * packages.
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
const { enableCompileCache } = require("node:module");
const { join, parse, relative, resolve, sep } = require("node:path");
const { pathToFileURL } = require("node:url");

const ROOT = resolve(__dirname, "..");
const CACHE = join(ROOT, "node_modules", ".cache", "assay");

const SOURCES = ["bench", "bin", "extensions", "fixtures", "helpers", "mocks", "mutation", "reports", "runner", "tests"];

const CONFIGURATION = "playwright.config.ts";

/** Code that other processes than those of the commands load: see `loadedCode`. */
const LOADED = [
  CONFIGURATION,
  "mutation/worker.ts",
  "reports/folder/merge.config.ts",
  "reports/folder/reporter.ts",
];

const SELF_TESTS = "tests/self";

/** The code of the self tests that their test runner loads. */
const SELF_TESTS_LOADED = /\.spec\.ts$|\/playwright\.config\.ts$|\/support\/tally\.ts$/;

/** These folders have no code of these processes, and change often. */
const LEFT_OUT = /^(?:out|self|order)$/;

/** Processes that started with an earlier state of the files may still load it. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Returns the paths of all source files, with their times and sizes. */
const statesBelow = (folder) =>
  entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.test(entry.name) ? [] : statesBelow(path);
    return /\.(?:ts|cjs|json)$/.test(entry.name) ? [stateOf(path)] : [];
  });

/** Each extension may be missing, and so may their folder. */
const entriesOf = (folder) => (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []);

const stateOf = (path) => {
  const { mtimeMs, size } = statSync(path);
  return `${path} ${mtimeMs} ${size}`;
};

const stateOfAll = (sources) => {
  const states = [
    stateOf(join(ROOT, CONFIGURATION)),
    ...sources.flatMap((name) => statesBelow(join(ROOT, name))),
    installed(),
  ];
  return createHash("sha256").update(states.join("\n")).digest("hex").slice(0, 16);
};

/** Returns npm's list of the installed packages, with their versions. */
const installed = () => {
  const path = join(ROOT, "node_modules", ".package-lock.json");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** The code finds its data by its own address, so each file keeps its address among the sources. */
const keepsAddress = {
  name: "keeps-address",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const own = JSON.stringify(relative(ROOT, path).replaceAll(sep, "/"));
      const contents = readFileSync(path, "utf8").replaceAll(
        "import.meta.url",
        `new URL(${own}, ASSAY_SOURCES).href`,
      );
      return { contents, loader: "ts" };
    });
  },
};

/**
 * Returns options for code that finds the rest of the product: see `helpers/contract/code.ts`.
 * @param code an expression: the address of the folder of compiled code
 * @param sources an expression: the address of the folder where the sources are, or would be
 */
const findsProduct = (code, sources, more = "") => ({
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "silent",
  plugins: [keepsAddress],
  banner: { js: `const ASSAY_CODE = ${code}, ASSAY_SOURCES = ${sources};${more}` },
});

/** Returns options for code of this checkout that runs with its compiled code in a folder. */
const inCheckout = (exports.inCheckout = (folder, more) =>
  findsProduct(addressOf(folder), addressOf(ROOT), more));

const addressOf = (folder) => JSON.stringify(`${pathToFileURL(folder).href}/`);

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

const filesBelow = (folder) =>
  entriesOf(join(ROOT, folder)).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });

/** Commands, and the code of an extension or a service, which the product loads if it exists. */
const LOADED_BY_NAME =
  /^(?:bin\/[^/]+|extensions\/[^/]+\/(?:index|bin\/[^/]+|services\/.+)|mocks\/(?!engine\/)[^/]+\/(?:service|issuer)|fixtures\/[^/]+\/policy|tests\/[^/]+\/[^/]+\.spec)\.ts$/;

const entryPoints = () => [
  ...LOADED,
  ...["bin", "extensions", "fixtures", "mocks", "tests"]
    .flatMap(filesBelow)
    .filter((path) => LOADED_BY_NAME.test(path)),
];

/** Returns the path of a command, without its ending: a command of the core before one of an extension. */
exports.pathOf = (command) =>
  entryPoints()
    .find((path) => `/${path}`.endsWith(`/bin/${command}.ts`))
    ?.slice(0, -".ts".length);

const compile = async (folder, options) => {
  const aside = `${folder}.${process.pid}`;
  await require("esbuild").build({
    absWorkingDir: ROOT,
    outdir: aside,
    outbase: ROOT,
    bundle: true,
    splitting: true,
    // Traces name only the places.
    sourcesContent: false,
    ...options,
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
  const { dir, base } = parse(folder);
  const kind = base.replace(/[^-]*$/, "");
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (!name.startsWith(kind) || path === folder) continue;
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
};

/** Returns the folder with the compiled code of a kind, or `undefined` if it can't be compiled. */
const folderOf = async (kind, sources, options) => {
  const folder = join(CACHE, `${kind}-${stateOfAll(sources)}`);
  if (existsSync(folder)) return folder;
  try {
    mkdirSync(CACHE, { recursive: true });
    // Without it, Node.js parses each file an additional time to find out that it is a module.
    writeFileSync(join(CACHE, "package.json"), '{"type":"module"}\n');
    await compile(folder, {
      inject: ["helpers/run/show-sources.ts"],
      external: EXTERNAL,
      // Each start reads and parses fewer characters.
      minifyWhitespace: true,
      legalComments: "none",
      ...options(folder),
    });
    removeOld(folder);
    return folder;
  } catch {
    // Loading the sources shows what is wrong with them.
    return undefined;
  }
};

/** Returns the folder with the compiled code of the product, or `undefined` if it can't be compiled. */
exports.compiledFolder = () =>
  folderOf("compiled", SOURCES, (folder) => ({
    ...inCheckout(folder, REQUIRE),
    entryPoints: entryPoints(),
    // Without links to the maps, no other library reads them for each trace.
    sourcemap: "external",
  }));

/** Returns the folder with the compiled self tests, or `undefined` if they can't be compiled. */
exports.compiledSelfTests = async () => {
  const product = await exports.compiledFolder();
  if (product === undefined) return undefined;
  return folderOf("self-tests", [...SOURCES, SELF_TESTS], (folder) => ({
    ...inCheckout(product, REQUIRE),
    entryPoints: [SELF_TESTS, "extensions"]
      .flatMap(filesBelow)
      .filter((path) => SELF_TESTS_LOADED.test(path)),
    define: { COMPILED_TESTS: JSON.stringify(folder) },
    // The test runner finds the locations of the tests by these links.
    sourcemap: "linked",
  }));
};

/** Compiles the code of the package, which finds the product where it is installed. */
exports.compilePackage = (folder, ownEntryPoints, isLeftOut) =>
  compile(folder, {
    ...findsProduct('import.meta.url.replace(/(.*\\/dist\\/).*/, "$1")', "ASSAY_CODE"),
    entryPoints: [...entryPoints(), ...ownEntryPoints].filter((path) => !isLeftOut(path)),
    packages: "external",
    // The subjects of the matrix of an extension, which only a checkout runs.
    external: ["./matrix/*"],
    sourcemap: "external",
  });

/**
 * Keeps what V8 compiles, for this process and those that it starts. Node.js has this cache since version 22.
 */
exports.keepCompiled = (compiled) => {
  process.env.NODE_COMPILE_CACHE ??= join(compiled, "v8");
  enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
};
