/** A copy of the checkout, for measurements that change its files. */
import { cp, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../helpers/contract/process-end.ts";
import { ROOT } from "./commands.ts";

/** Parts of a checkout that contain no source. */
const LEFT_OUT = [".env", ".git", "node_modules", "dist", "test-results", "reports/out"];

/** Copies the checkout, and removes the copy when `use` has ended. The copy shares the installed packages. */
export const inCopy = async <Value>(use: (root: string) => Promise<Value>): Promise<Value> => {
  const root = temporaryFolder("copy");
  try {
    const leftOut = new Set(LEFT_OUT.map((name) => join(ROOT, name)));
    await cp(ROOT, root, { recursive: true, filter: (source) => !leftOut.has(source) });
    await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
    return await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};
