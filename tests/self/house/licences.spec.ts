/** The licences of all packages are known, and no package needs its install script. */
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";

interface Package {
  readonly license?: string;
  readonly hasInstallScript?: true;
  readonly resolved?: string;
  readonly integrity?: string;
}

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");

const { packages } = JSON.parse(read("package-lock.json")) as {
  readonly packages: Readonly<Record<string, Package>>;
};
const others = Object.entries(packages).filter(([path]) => path !== "");

/** Licences that allow to use and pass on a tool. MPL-2.0 applies to changes of its own files only. */
const ALLOWED = [
  ...["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "MPL-2.0"],
  ...["PSF-2.0", "Python-2.0"],
];

/** Whether one alternative of an SPDX expression is allowed. */
const isAllowed = (license = ""): boolean =>
  license
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((one) => ALLOWED.includes(one));

/** Packages whose install script only makes them faster. */
const WORKS_WITHOUT_SCRIPT = ["esbuild"];

test("each package has an allowed licence", () => {
  const refused = others.filter(([, { license }]) => !isAllowed(license));
  expect(refused.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  expect(others.length).toBeGreaterThan(100);
  expect(["GPL-3.0", "UNLICENSED", "", "MIT AND GPL-2.0"].filter(isAllowed)).toEqual([]);
});

test("each package has a digest, and none needs its install script", () => {
  const unpinned = others.filter(([, { integrity, resolved }]) => resolved !== undefined && !integrity);
  expect(unpinned.map(([path]) => path)).toEqual([]);
  const scripts = others.filter(([, { hasInstallScript }]) => hasInstallScript);
  const unknown = scripts
    .map(([path]) => path.split("node_modules/").at(-1) ?? "")
    .filter((name) => !WORKS_WITHOUT_SCRIPT.includes(name) && name !== "fsevents");
  expect(unknown).toEqual([]);
});

test("the product has the licence that it states", () => {
  expect(packages[""]?.license).toBe("Apache-2.0");
  expect(JSON.parse(read("package.json"))).toMatchObject({ license: "Apache-2.0" });
  expect(read("LICENSE")).toContain("Apache License\n                           Version 2.0");
});
