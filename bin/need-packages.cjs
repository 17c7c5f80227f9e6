/** Ends a script of package.json with one line if its packages are not installed. */
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const NEEDED = ["@playwright/test", "esbuild", "tsx", "typescript"];

const BAD_CONFIGURATION = 2;

const folder = join(__dirname, "..", "node_modules");

if (!NEEDED.every((name) => existsSync(join(folder, name)))) {
  process.stderr.write("The packages of this checkout are not installed. First run: npm ci\n");
  process.exit(BAD_CONFIGURATION);
}
