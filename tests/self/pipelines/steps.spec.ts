/** The GitHub Action and the GitLab template, by running their steps as the services do; and our own workflow. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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
  writeFileSync(file, '#!/bin/bash\nname=$1; shift\nexec node bin/start.cjs "$name" "$@"\n');
  chmodSync(file, 0o755);
  return file;
};

/** Runs the first step of the Action with these inputs. The others have their defaults. */
const runAction = async (folder: string, given: Inputs, environment: Inputs = {}) => {
  const { inputs, runs } = parse(read("action.yml")) as Action;
  const values: Inputs = {
    ...Object.fromEntries(Object.entries(inputs).map(([name, one]) => [name, one.default])),
    ...{ service: "card-enrollment", command: await commandIn(folder) },
    ...given,
  };
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => values[name] ?? "");
  const [certify, upload] = runs.steps;
  expect(runs.using).toBe("composite");
  expect(filled(upload?.with?.path ?? "")).toBe(values.out);
  const files = { GITHUB_OUTPUT: join(folder, "outputs"), GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  const settings = Object.entries(certify?.env ?? {}).map(([name, value]) => [name, filled(value)]);
  const end = await shell(certify?.run ?? "", {
    ...environment,
    ...files,
    ...{ GITHUB_ACTIONS: "true", GITHUB_ACTION_PATH: ROOT },
    ...Object.fromEntries(settings),
  });
  const lines = readFileSync(files.GITHUB_OUTPUT, "utf8").trimEnd().split("\n");
  return {
    ...end,
    outputs: Object.fromEntries(lines.map((line) => line.split("="))) as Inputs,
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8"),
  };
};

type Inputs = Readonly<Record<string, string>>;

test("the steps of the Action give outputs, annotations, a summary and the exit code", LONG, async () => {
  const mock = await startMock(["--service", "card-enrollment", "--fault", FAULT]);
  const folder = await temporary();
  const given = {
    ...{ target: "ci", out: join(folder, "out") },
    arguments: "--requirement\ncard-enrollment.request.consumer.firstName.max-length",
  };
  const { code, output, outputs, summary } = await runAction(folder, given, mock.credentials);
  await mock.stop();
  expect({ code, output }).toMatchObject({ code: 1 });
  expect(output).toMatch(
    /^::error title=card-enrollment\.request\.consumer\.firstName\.max-length::.*%0Aexpected/m,
  );
  expect(summary).toContain("violations");
  expect(outputs.outcome).toBe("violations");
  for (const name of ["certificate", "sarif"]) expect(existsSync(outputs[name] ?? "")).toBe(true);
});

test("the Action runs shards, and merges their folders", LONG, async () => {
  const folder = await temporary();
  const shards = join(folder, "shards");
  for (const part of [1, 2]) {
    const given = { shard: `${part}/2`, out: join(shards, `shard-${part}`), arguments: "--depth=quick" };
    const { code, output, outputs, summary } = await runAction(folder, given);
    const headline = `certified, partial (shard ${part} of 2)`;
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining(headline) });
    expect(summary.replaceAll("\\", "")).toContain(`: ${headline}\n`);
    expect(outputs).toMatchObject({ outcome: "certified", partial: "true" });
  }
  const { code, output, outputs } = await runAction(folder, { merge: shards, out: join(folder, "out") });
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/^certified {2}tried/m) });
  expect(outputs).toMatchObject({
    ...{ outcome: "certified", partial: "false" },
    certificate: join(folder, "out", "certificate.json"),
    sarif: join(folder, "out", "certificate.sarif"),
  });
});

const { ".assay": gitlab, ".assay-merge": gitlabMerge } = parse(read("templates/gitlab.yml")) as Record<
  ".assay" | ".assay-merge",
  Job
>;

/** Runs the script of a job of the GitLab template in a folder. */
const runJob = async (folder: string, { script }: Pick<Job, "script">, given: Inputs) =>
  shell(script.join("\n"), {
    ...gitlab.variables,
    ...{ ASSAY_OUT: join(folder, "out"), ASSAY_SHARDS: join(folder, "shards") },
    ...{ ASSAY_COMMAND: await commandIn(folder), ASSAY_SERVICE: "card-enrollment", ...given },
  });

test("the script of the GitLab template ends with the exit code of certify", async () => {
  const { code, output } = await runJob(await temporary(), gitlab, { ASSAY_TARGET: "nowhere" });
  expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining(".env.nowhere") });
  expect(gitlab.artifacts.reports.junit).toBe("$ASSAY_OUT/junit.xml");
});

test("the GitLab template runs shards, merges them, and compares with a baseline", LONG, async () => {
  const folder = await temporary();
  for (const part of ["1", "2"]) {
    const ended = await runJob(folder, gitlab, { CI_NODE_INDEX: part, CI_NODE_TOTAL: "2" });
    expect(ended).toMatchObject({ code: 0, output: expect.stringContaining(`shard ${part} of 2`) });
  }
  const merged = await runJob(folder, gitlabMerge, {});
  expect(merged).toMatchObject({ code: 0, output: expect.stringMatching(/^certified {2}tried/m) });
  const again = await runJob(folder, gitlabMerge, {
    ASSAY_BASELINE: join(folder, "out", "certificate.json"),
    ASSAY_OUT: join(folder, "again"),
  });
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining("Changed since") });
});

interface Job {
  readonly variables: Readonly<Record<string, string>>;
  readonly script: readonly string[];
  readonly artifacts: { readonly reports: { readonly junit: string } };
}

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
        readonly steps: readonly Step[];
      }
    >
  >;
}

const jobsOf = (file: string): Workflow["jobs"] =>
  (parse(read(`.github/workflows/${file}`)) as Workflow).jobs;

test("our own workflow runs on each supported version of Node, and .nvmrc names one of them", () => {
  const { engines } = JSON.parse(read("package.json")) as { readonly engines: { readonly node: string } };
  const supported = [...engines.node.matchAll(/(?:\^|>=)(\d+)/g)].map(([, version]) => Number(version));
  expect(jobsOf("ci.yml").test?.strategy?.matrix.node).toEqual(supported);
  expect(supported).toContain(Number(read(".nvmrc")));
});

test("actions are named by digest", () => {
  const files = ["action.yml", "docs/ci.md", ".github/workflows/ci.yml", ".github/workflows/nightly.yml"];
  const used = files.flatMap((file) => read(file).match(/uses: (?!\.\/).*/g) ?? []);
  expect(used.filter((one) => !/@[\da-f]{40} # v[\d.]+$/.test(one))).toEqual([]);
  expect(used.length).toBeGreaterThan(10);
});

test("the jobs of the workflows run every spec file", async () => {
  const { proof } = jobsOf("nightly.yml");
  const { proof: commands, shard = [] } = proof?.strategy?.matrix ?? {};
  expect(commands).toEqual(["test -- --project long", "run mutation --", "run mutation -- --innocent"]);
  expect(shard).toEqual(shard.map((_, index) => index + 1));
  expect(proof?.steps.at(-1)?.run).toBe(
    `npm \${{ matrix.proof }} --shard \${{ matrix.shard }}/${shard.length}`,
  );
  expect(jobsOf("ci.yml").test?.steps.at(-1)?.run).toBe(".ci/run");
  // Without arguments, the command runs the lanes default and provider.
  expect(read(".ci/run")).toMatch(/^npm test 2>&1/m);
  const { output } = await shell("npm test -- --list --project default provider long", {});
  for (const folder of ["tests/self", "extensions"])
    for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }))
      if (file.endsWith(".spec.ts")) expect(output, file).toContain(`› ${folder}/${file.replace(/ts$/, "")}`);
});
