/**
 * Starts a command of this folder: `node bin/start.cjs certify`. Loading hundreds of TypeScript files takes longer than
 * most commands run, so the code is compiled when it has changed.
 */
require("./need-packages.cjs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const [command] = process.argv.splice(2, 1);

const start = async () => {
  const { compiledFolder, keepCompiled } = require("./compiled.cjs");
  const compiled = await compiledFolder();
  if (compiled === undefined) {
    // The folder of the compiled code can't be written.
    require("tsx/esm/api").register();
    return import(`./${command}.ts`);
  }
  keepCompiled(compiled);
  return import(pathToFileURL(join(compiled, "bin", `${command}.js`)).href);
};

void start();
