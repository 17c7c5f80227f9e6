/** The package as a user has it: packed, unpacked into an empty folder, with the packages that it needs. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyOfCheckout } from "../support/checkout.ts";
import { ROOT } from "../support/command.ts";

export interface Manifest {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
}

interface Locked {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Manifest["peerDependenciesMeta"];
  readonly engines?: { readonly node?: string };
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), "utf8"));

export const manifest = read("package.json") as Manifest;

const { packages } = read("package-lock.json") as { readonly packages: Readonly<Record<string, Locked>> };

const neededBy = ({ dependencies, peerDependencies, peerDependenciesMeta }: Locked): string[] => [
  ...Object.keys(dependencies ?? {}),
  ...Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true),
];

/** Returns the packages that npm installs with the product, by their path in `package-lock.json`. */
export const installedWith = (): ReadonlyMap<string, Locked> => {
  const found = new Map<string, Locked>();
  const add = (name: string, from: string): void => {
    const nested = `${from}/node_modules/${name}`;
    const path = from !== "" && packages[nested] !== undefined ? nested : `node_modules/${name}`;
    const locked = packages[path];
    if (locked === undefined || found.has(path)) return;
    found.set(path, locked);
    for (const next of neededBy(locked)) add(next, path);
  };
  for (const name of neededBy(manifest)) add(name, "");
  return found;
};

/** Packs the product, in a copy because two builds in one folder disturb each other. @returns the path of the tarball */
export const pack = async (folder: string): Promise<string> => {
  const options = ["--pack-destination", folder, "--json"];
  const root = await copyOfCheckout();
  const text = execFileSync("npm", ["pack", ...options], { cwd: root, encoding: "utf8", stdio: "pipe" });
  rmSync(root, { recursive: true });
  const [{ filename }] = JSON.parse(text.slice(text.search(/^\[/m))) as [{ filename: string }];
  return join(folder, filename);
};

/** Installs the tarball in an empty folder, as npm does, but without a registry. */
export const install = (tarball: string, folder: string): void => {
  const own = join(folder, "node_modules", "assay");
  mkdirSync(own, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
  for (const path of installedWith().keys())
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  // Links the commands.
  execFileSync("npm", ["rebuild", "--ignore-scripts", "--offline"], { cwd: folder, stdio: "pipe" });
};

/** The settings that reach a registry behind a proxy or a private certificate authority. */
export const NETWORK = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i.test(name)),
);

/** Whether npm could not reach the registry. */
export const isWithoutRegistry = (output: string): boolean =>
  /E(NOTFOUND|CONNREFUSED|AI_AGAIN|TIMEDOUT)/.test(output);
