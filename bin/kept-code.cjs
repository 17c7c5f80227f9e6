/**
 * Preloaded into the processes of the test runner: keeps what V8 compiles of the test runner's large files, which is a
 * quarter of the CPU time of their start. From version 22 on, Node.js keeps all compiled code itself.
 */
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { basename, dirname, join, sep } = require("node:path");
const { cachedDataVersionTag } = require("node:v8");
const { Script } = require("node:vm");

/**
 * Large files of the test runner. In code that was kept, `import()` fails, and in a run these files do not need theirs:
 * they are for proxies with Kerberos and for configurations of Babel.
 */
const LARGE = [
  "playwright-core/lib/coreBundle.js",
  "playwright-core/lib/utilsBundle.js",
  "playwright/lib/transform/babelBundle.js",
];

const isLarge = (path) => LARGE.some((file) => path.endsWith(join(sep, "node_modules", file)));

/** The folder for compiled code. Node.js from version 22 on reads this variable itself. */
const FOLDER = process.env.NODE_COMPILE_CACHE;

/** Returns the path of the code that V8 keeps of a file: each program uses, and thus compiles, other functions of it. */
const keptPath = (path) =>
  join(FOLDER, `${basename(path)}-${basename(process.argv[1] ?? "")}-${cachedDataVersionTag()}`);

const readIfThere = (path) => {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
};

/** Keeps the code of a script, with all functions that have been compiled until now. */
const keep = (script, path) => {
  const aside = `${path}.${process.pid}`;
  try {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(aside, script.createCachedData());
    renameSync(aside, path);
  } catch {
    // The folder can't be written, so the next process compiles the file again.
  }
};

/** Runs a file as a CommonJS module, as Node.js does. */
const run = (module, content, path) => {
  const kept = keptPath(path);
  const cachedData = readIfThere(kept);
  const script = new Script(Module.wrap(content), { filename: path, cachedData });
  if (cachedData === undefined || script.cachedDataRejected) process.once("exit", () => keep(script, kept));
  const { exports } = module;
  const body = script.runInThisContext();
  return body.call(exports, exports, Module.createRequire(path), module, path, dirname(path));
};

const { _compile: compile } = Module.prototype;
if (FOLDER !== undefined && Module.enableCompileCache === undefined) {
  Module.prototype._compile = function (content, path, ...others) {
    return isLarge(path) ? run(this, content, path) : compile.call(this, content, path, ...others);
  };
}
