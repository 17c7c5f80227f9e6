/** A copy of the checkout, for measurements that change its files. */
import { rmSync } from "node:fs";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./commands.ts";

/** Parts of a checkout that contain no source. */
const LEFT_OUT = [".env", ".git", "node_modules", "dist", "test-results", "reports/out"];

/** Copies the checkout, and removes the copy when `use` has ended. The copy shares the installed packages. */
export const inCopy = async <Value>(use: (root: string) => Promise<Value>): Promise<Value> => {
  const root = await mkdtemp(join(tmpdir(), "assay-copy-"));
  const interrupted = (): never => {
    rmSync(root, { recursive: true, force: true });
    process.exit(130);
  };
  process.once("SIGINT", interrupted);
  try {
    const leftOut = new Set(LEFT_OUT.map((name) => join(ROOT, name)));
    await cp(ROOT, root, { recursive: true, filter: (source) => !leftOut.has(source) });
    await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
    return await use(root);
  } finally {
    process.off("SIGINT", interrupted);
    await rm(root, { recursive: true, force: true });
  }
};
