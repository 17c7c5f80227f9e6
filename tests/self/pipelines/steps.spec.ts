/** The GitHub Action and the GitLab template, by running their steps as the services do; and our own workflow. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { ROOT, startMock, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";

const FAULT = "card-enrollment.request.consumer.firstName.max-length.off-by-one";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

interface Step {
  readonly shell?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

const shell = (script: string, environment: Readonly<Record<string, string>>) =>
  new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn("bash", ["-e", "-o", "pipefail", "-c", script], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: "1", ...environment },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });

/** Writes a program that starts a command of the checkout as `assay COMMAND` does. */
const commandIn = async (folder: string): Promise<string> => {
  const file = join(folder, "assay");
  writeFileSync(file, '#!/bin/bash\nname=$1; shift\nexec node --import tsx "bin/$name.ts" "$@"\n');
  chmodSync(file, 0o755);
  return file;
};

test("the steps of the Action give outputs, annotations, a summary and the exit code", LONG, async () => {
  const mock = await startMock(["--service", "card-enrollment", "--fault", FAULT]);
  const folder = await temporary();
  const { inputs, runs } = parse(read("action.yml")) as Action;
  const out = join(folder, "out");
  const given: Record<string, string> = {
    ...Object.fromEntries(Object.entries(inputs).map(([name, one]) => [name, one.default])),
    ...{ target: "ci", service: "card-enrollment", command: await commandIn(folder), out },
    arguments: "--requirement\ncard-enrollment.request.consumer.firstName.max-length",
  };
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => given[name] ?? "");
  const [certify, upload] = runs.steps;
  expect(runs.using).toBe("composite");
  expect(filled(upload?.with?.path ?? "")).toBe(out);
  const files = { GITHUB_OUTPUT: join(folder, "outputs"), GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  const settings = Object.entries(certify?.env ?? {}).map(([name, value]) => [name, filled(value)]);
  const { code, output } = await shell(certify?.run ?? "", {
    ...mock.credentials,
    ...files,
    GITHUB_ACTION_PATH: ROOT,
    ...Object.fromEntries(settings),
  });
  await mock.stop();
  expect({ code, output }).toMatchObject({ code: 1 });
  expect(output).toMatch(
    /^::error title=card-enrollment\.request\.consumer\.firstName\.max-length::.*%0Aexpected/m,
  );
  expect(readFileSync(files.GITHUB_STEP_SUMMARY, "utf8")).toContain("violations");
  const outputs = Object.fromEntries(
    readFileSync(files.GITHUB_OUTPUT, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split("=")),
  );
  expect(outputs.outcome).toBe("violations");
  for (const name of ["certificate", "badge", "sarif"]) expect(existsSync(outputs[name])).toBe(true);
});

test("the script of the GitLab template ends with the exit code of certify", async () => {
  const folder = await temporary();
  const { ".assay": job } = parse(read("templates/gitlab.yml")) as Record<string, Job>;
  const out = join(folder, "out");
  const { code, output } = await shell((job?.script ?? []).join("\n"), {
    ...job?.variables,
    ...{ ASSAY_COMMAND: await commandIn(folder), ASSAY_TARGET: "nowhere", ASSAY_OUT: out },
  });
  expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining(".env.nowhere") });
  expect(job?.artifacts.reports.junit).toBe("$ASSAY_OUT/junit.xml");
});

interface Job {
  readonly variables: Readonly<Record<string, string>>;
  readonly script: readonly string[];
  readonly artifacts: { readonly reports: { readonly junit: string } };
}

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly strategy?: { readonly matrix: { readonly node: readonly number[] } } }>
  >;
}

test("our own workflow runs on each supported version of Node, and .nvmrc names one of them", () => {
  const { engines } = JSON.parse(read("package.json")) as { readonly engines: { readonly node: string } };
  const supported = [...engines.node.matchAll(/(?:\^|>=)(\d+)/g)].map(([, version]) => Number(version));
  const { jobs } = parse(read(".github/workflows/ci.yml")) as Workflow;
  expect(jobs.test?.strategy?.matrix.node).toEqual(supported);
  expect(supported).toContain(Number(read(".nvmrc")));
});
