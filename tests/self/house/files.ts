/** The TypeScript files that the house specs read. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The self tests of the core, and of each extension. */
export const SELF_TESTS = /^(?:tests\/self|extensions\/[^/]+\/tests)\//;

/** Returns a file itself, or the `*.ts` files below a folder. @param place a path from the root of the checkout */
export const filesIn = (place: string): string[] =>
  statSync(join(ROOT, place)).isFile()
    ? [place]
    : readdirSync(join(ROOT, place), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => `${place}/${name.replaceAll("\\", "/")}`);

/** The files of the extensions without their tests. Each extension may be missing, and so may their folder. */
export const EXTENSIONS = existsSync(join(ROOT, "extensions"))
  ? filesIn("extensions").filter((path) => !SELF_TESTS.test(path))
  : [];

/** Right and wrong clients keep the rules of trials. */
export const OF_EXTENSIONS = EXTENSIONS.filter((path) => !path.includes("/subjects/"));

export const PRODUCT = [
  ...["bin", "fixtures", "helpers", "mocks", "mutation", "reports", "runner"],
  ...OF_EXTENSIONS,
];
