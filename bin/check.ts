/** `npm run check`: runs types, lint (with format and import boundaries), dead code, house rules and size in parallel. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endOf } from "../helpers/run/child.ts";
import { print } from "../reports/print.ts";
import { createCommand } from "../runner/command/command.ts";

createCommand("check")
  .description(
    "Checks the code: types, lint with format and import boundaries, dead code, house rules, size.",
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse();

interface Check {
  readonly name: string;
  readonly executable: string;
  readonly args: readonly string[];
  /** Whether its output is of interest although it found nothing wrong. */
  readonly isPrinted?: true;
}

const CHECKS: readonly Check[] = [
  { name: "types", executable: "tsc", args: ["-p", "."] },
  { name: "types of the certificate's script", executable: "tsc", args: ["-p", "reports/render/html"] },
  { name: "lint", executable: "biome", args: ["check", "--error-on-warnings"] },
  { name: "dead code", executable: "knip", args: ["--no-progress"] },
  { name: "size", executable: "tsx", args: ["tests/self/house/size.ts"], isPrinted: true },
  {
    name: "house rules",
    executable: "playwright",
    // A separate folder keeps the results of `npm test`.
    args: [
      ...["test", "--config", "tests/self/playwright.config.ts", "--workers", "1"],
      ...["--output", "test-results/check", "tests/self/house/"],
    ],
  },
];

const ROOT = fileURLToPath(new URL("../", import.meta.url));

const started = performance.now();

const results = await Promise.all(
  CHECKS.map(async (one) => {
    const command = join(ROOT, "node_modules", ".bin", one.executable);
    const { code, words } = await endOf(
      spawn(command, one.args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] }),
    );
    const ok = code === 0;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(
      `${ok ? "✓" : "✗"} ${one.name} (${seconds} s)\n${ok && !one.isPrinted ? "" : `${words.trimEnd()}\n`}`,
    );
    return ok;
  }),
);
process.exitCode = results.every(Boolean) ? 0 : 1;
