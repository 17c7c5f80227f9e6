/**
 * Starts a command of this folder: `node bin/start.cjs mock`. Loading TypeScript on the main thread is faster than
 * through the loader's thread, which handles every file.
 */
require("tsx/cjs");

const [command] = process.argv.splice(2, 1);
require(`./${command}.ts`);
