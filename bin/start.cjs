/**
 * Starts a command of this folder or of an extension: `node bin/start.cjs certify`. Loading hundreds of TypeScript files
 * takes longer than most commands run, so the code is compiled when it has changed.
 */
require("./need-packages.cjs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const [command] = process.argv.splice(2, 1);

const start = async () => {
  const { compiledFolder, keepCompiled, pathOf } = require("./compiled.cjs");
  const path = pathOf(command);
  if (path === undefined) {
    process.exitCode = 2;
    return process.stderr.write(`${command} is missing: neither bin/ nor extensions/*/bin/ has this command.\n`);
  }
  const compiled = await compiledFolder();
  if (compiled === undefined) {
    // The folder of the compiled code can't be written, or the sources have an error, which loading them shows.
    await import("tsx");
    return import(`../${path}.ts`);
  }
  keepCompiled(compiled);
  return import(pathToFileURL(join(compiled, `${path}.js`)).href);
};

/** Reports that the product could not be loaded, so that none of its words are available. */
const report = ({ code, message, stack }) => {
  const words = /^(EMFILE|ENFILE)$/.test(code)
    ? "Too many files are open. Raise the limit, for example with: ulimit -n 1024"
    : /MODULE_NOT_FOUND$/.test(code)
      ? `${message.split("\n", 1)[0]}. Are all packages installed? npm ci installs them.`
      : stack;
  process.stderr.write(`${words}\n`);
  process.exitCode = 3;
};

start().catch(report);
