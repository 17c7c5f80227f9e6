/** Ends a script of package.json with one line if a package of the checkout is not installed. */
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { dependencies, devDependencies } = require("../package.json");

const BAD_CONFIGURATION = 2;

const folder = join(__dirname, "..", "node_modules");
const missing = Object.keys({ ...dependencies, ...devDependencies }).find(
  (name) => !existsSync(join(folder, name)),
);

if (missing !== undefined) {
  process.stderr.write(
    `The packages of this checkout are not installed (${missing} is missing). First run: npm ci\n`,
  );
  process.exit(BAD_CONFIGURATION);
}
