/** Copies of the checkout: some tests add a service to one, others use one as a fresh clone. */
import { cp, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ROOT } from "./command.ts";

/** Files of a checkout that are not in the repository, by their paths. */
const MADE =
  /^(?:\.git|node_modules|dist|test-results|reports\/out|[\w-]*-re(?:port|sults)|\.env\.(?!example$)[^/]*|[^/]*\.(?:tgz|log))$/;

/** Copies the sources to a new folder, as a clone has them. */
export const copySources = (folder: string): Promise<void> =>
  cp(ROOT, folder, { recursive: true, filter: (source) => !MADE.test(relative(ROOT, source)) });

/** Returns the path of a copy with the packages of the checkout. The caller removes it. */
export const copyOfCheckout = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), "assay-checkout-"));
  await copySources(root);
  await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
  return root;
};
