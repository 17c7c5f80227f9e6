/** A copy of the checkout, to which tests add a service. */
import { cp, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./command.ts";

/** Folders of a checkout that contain no source. */
const MADE = [".git", "node_modules", "dist", "test-results", "reports/out", "allure-results"];

/** Returns the path of the copy. The caller removes it. */
export const copyOfCheckout = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), "assay-checkout-"));
  const made = new Set(MADE.map((name) => join(ROOT, name)));
  await cp(ROOT, root, { recursive: true, filter: (source) => !made.has(source) });
  await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
  return root;
};
