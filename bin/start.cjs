/**
 * Starts a command of this folder: `node bin/start.cjs certify`. Loading hundreds of TypeScript files takes longer than
 * most commands run, so the code is compiled when it has changed.
 */
const { enableCompileCache } = require("node:module");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const [command] = process.argv.splice(2, 1);

/** Keeps what V8 compiles, for this process and those that it starts. Node.js has this cache since version 22. */
const keepCompiled = (folder) => {
  process.env.NODE_COMPILE_CACHE ??= folder;
  enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
};

const start = async () => {
  const compiled = await require("./compiled.cjs").compiledFolder();
  if (compiled === undefined) {
    // The folder of the compiled code can't be written.
    require("tsx/esm/api").register();
    return import(`./${command}.ts`);
  }
  keepCompiled(join(compiled, "v8"));
  return import(pathToFileURL(join(compiled, "bin", `${command}.js`)).href);
};

void start();
