/** What Allure shows of a run: epics, features and stories by service, section and requirement, with links. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { allureReportDir, allureResultsDir } from "../../../reports/reporters.ts";
import { certify } from "../support/command.ts";

const REQUIREMENT = "card-enrollment.auth.401-on-failed-check";

interface Tree {
  readonly root: { readonly groups: readonly string[] };
  readonly groupsById: Readonly<
    Record<string, { readonly name: string; readonly groups?: readonly string[] }>
  >;
}

test("a trial is filed under its service, section and requirements, which link into the certificate", async () => {
  const { out } = await certify([
    "--service",
    "card-enrollment",
    "--requirement",
    REQUIREMENT,
    "--depth",
    "quick",
  ]);
  const [file = ""] = (await readdir(allureResultsDir(out))).filter((name) => name.endsWith("-result.json"));
  const result = JSON.parse(await readFile(join(allureResultsDir(out), file), "utf8")) as {
    description: string;
    steps: unknown[];
    labels: { name: string; value: string }[];
  };
  const valuesOf = (label: string) =>
    result.labels.filter(({ name }) => name === label).map(({ value }) => value);
  expect(valuesOf("epic")).toEqual(["card-enrollment"]);
  expect(valuesOf("feature")).toEqual(["Authentication"]);
  expect(valuesOf("story")).toContain(REQUIREMENT);
  expect(result.description).toContain(`- [${REQUIREMENT}](../certificate.html#requirement-${REQUIREMENT})`);
  expect(result.steps).toEqual([]);

  const tree = JSON.parse(
    await readFile(join(allureReportDir(out), "widgets", "default", "tree.json"), "utf8"),
  ) as Tree;
  const below = (ids: readonly string[] = []) => ids.flatMap((id) => tree.groupsById[id] ?? []);
  const epics = below(tree.root.groups);
  const features = epics.flatMap(({ groups }) => below(groups));
  const stories = features.flatMap(({ groups }) => below(groups));
  expect(epics.map(({ name }) => name)).toEqual(["card-enrollment"]);
  expect(features.map(({ name }) => name)).toEqual(["Authentication"]);
  expect(stories.map(({ name }) => name)).toContain(REQUIREMENT);
});
