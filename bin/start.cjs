/**
 * Starts a command of this folder: `node bin/start.cjs mock`. TypeScript that is loaded on the main thread is ready
 * sooner than through the loader's thread, which is told of every file.
 */
require("tsx/cjs");

const [command] = process.argv.splice(2, 1);
require(`./${command}.ts`);
