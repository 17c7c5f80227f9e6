/** The packages that are installed with the product: the Node that they need, and their versions. */
import { expect, test } from "@playwright/test";
import { installedWith, manifest } from "./installed.ts";

const SUPPORTED = ["20.19.0", "22.13.0", "24.0.0"];

/** Whether a version is in a range, for the forms of ranges that packages use for Node. */
const isIn = (range: string, version: string): boolean =>
  range.split("||").some((alternative) =>
    alternative
      .trim()
      .split(/\s+(?=[<>])/)
      .every(comparator(version)),
  );

const numbersOf = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

const isAtLeast = (a: readonly number[], b: readonly number[]): boolean => {
  const at = b.findIndex((number, index) => number !== (a[index] ?? 0));
  return at < 0 || (a[at] ?? 0) > (b[at] ?? 0);
};

const comparator =
  (version: string) =>
  (text: string): boolean => {
    const [own, limit] = [numbersOf(version), numbersOf(text)];
    if (text.startsWith(">=")) return isAtLeast(own, limit);
    if (text.startsWith("<")) return !isAtLeast(own, limit);
    const isLoose = text === "*" || own[0] === limit[0];
    return isLoose && isAtLeast(own, limit);
  };

test("each supported Node may run each package that is installed", () => {
  expect(isIn(">=22", "20.19.0")).toBe(false);
  expect(isIn("^20.19.0 || >=22.12.0", "20.18.0")).toBe(false);
  expect(isIn("18 || 20 || >=22", "20.19.0")).toBe(true);
  const installed = installedWith();
  expect(installed.size).toBeGreaterThan(40);
  const ranges = [...installed].map(([path, { engines }]) => ({ path, range: engines?.node ?? "*" }));
  for (const version of SUPPORTED) {
    expect(isIn(manifest.engines.node, version)).toBe(true);
    expect(ranges.filter(({ range }) => !isIn(range, version))).toEqual([]);
  }
});

test("each runtime dependency has one version, the one that the tests use", () => {
  const versions = installedWith();
  const pinned = Object.entries(manifest.dependencies);
  expect(pinned.filter(([name, range]) => versions.get(`node_modules/${name}`)?.version !== range)).toEqual(
    [],
  );
});
