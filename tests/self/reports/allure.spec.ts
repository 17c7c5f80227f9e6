/** The Allure results of a run: epics, features and stories by service, section and requirement, with links. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { allureReportDir, allureResultsDir } from "../../../reports/reporters.ts";
import { certify } from "../support/command.ts";

const SERVICE = "financial-data";
const REQUIREMENT = `${SERVICE}.GetInstitutions.success`;

interface Result {
  readonly description: string;
  readonly steps: readonly unknown[];
  readonly labels: readonly { readonly name: string; readonly value: string }[];
}

interface Tree {
  readonly root: { readonly groups: readonly string[] };
  readonly groupsById: Readonly<
    Record<string, { readonly name: string; readonly groups?: readonly string[] }>
  >;
}

test("a trial appears under its service, section and requirements, which link to the certificate", async () => {
  const { out } = await certify([
    "--allure",
    "--service",
    SERVICE,
    "--requirement",
    REQUIREMENT,
    "--depth",
    "quick",
  ]);
  const results = await resultsIn(allureResultsDir(out));
  const valuesOf = ({ labels }: Result, label: string) =>
    labels.filter(({ name }) => name === label).map(({ value }) => value);
  // The product's own tests also have folders named after services, but they are not trials of a run.
  for (const result of results) expect(valuesOf(result, "epic")).toEqual([SERVICE]);
  const [result] = results.filter((one) => valuesOf(one, "story").includes(REQUIREMENT));
  expect(result && valuesOf(result, "feature")).toEqual(["Institutions"]);
  expect(result?.description).toContain(`- [${REQUIREMENT}](../certificate.html#requirement-${REQUIREMENT})`);
  expect(result?.steps).toEqual([]);

  const tree = JSON.parse(
    await readFile(join(allureReportDir(out), "widgets", "default", "tree.json"), "utf8"),
  ) as Tree;
  const below = (ids: readonly string[] = []) => ids.flatMap((id) => tree.groupsById[id] ?? []);
  const epics = below(tree.root.groups);
  const features = epics.flatMap(({ groups }) => below(groups));
  const stories = features.flatMap(({ groups }) => below(groups));
  expect(epics.map(({ name }) => name)).toEqual([SERVICE]);
  expect(features.map(({ name }) => name)).toEqual(["Institutions"]);
  expect(stories.map(({ name }) => name)).toContain(REQUIREMENT);
});

const resultsIn = async (folder: string): Promise<Result[]> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith("-result.json"));
  return Promise.all(
    files.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8")) as Result),
  );
};
