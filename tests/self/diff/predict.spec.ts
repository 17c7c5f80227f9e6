/** Predictions: the verdicts that a client certified against the old document loses with the new one. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Upgrade } from "../../../helpers/diff/upgrade.ts";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { type Prediction, predictionOf } from "../../../reports/certificate/prediction.ts";
import { renderPrediction } from "../../../reports/render/prediction.ts";
import {
  contract,
  entry,
  facts,
  failure,
  requirement,
  runInfo,
  trialResult,
} from "../reports/reports-data.ts";
import { run, temporary } from "../support/command.ts";
import { upgradedDocuments } from "./bumped-documents.ts";

const REQUIREMENTS = [
  "GetCustomer.success",
  "GetCustomer.unauthenticated",
  "GetInstitutions.response.shape",
  "GetInstitutions.success",
  "post-configurations.success",
].map((id) => `financial-data.${id}`);

test("a verdict is lost if the sandbox with the new document no longer passes it", async () => {
  test.slow();
  const [{ base, revision }, out] = [await upgradedDocuments(), await temporary()];
  const predict = (oldFile: string, newFile: string, ...more: string[]) =>
    run("certify", [
      ...[
        "--contract",
        `financial-data=${newFile}`,
        "--since",
        oldFile,
        "--predict",
        "--depth",
        "quick",
        "--out",
        out,
      ],
      ...["--requirement", REQUIREMENTS.join(","), ...more],
    ]);
  const { code, stdout } = await predict(base, revision);
  const prediction = JSON.parse(await readFile(join(out, "prediction.json"), "utf8")) as Prediction;
  expect(prediction.lost.map(({ requirement: id, now, change }) => [id, now, change])).toEqual([
    ["financial-data.GetInstitutions.response.shape", "failed", "breaking"],
    ["financial-data.GetCustomer.success", "failed", "breaking"],
    ["financial-data.GetCustomer.unauthenticated", "not-tried", "breaking"],
  ]);
  // The requests already contain the property that became required; the diff has a witness without it.
  expect(prediction.unseen.map(({ pointer, why }) => [pointer, why])).toEqual([
    ["/tier", "no request that was sent has what the new document refuses"],
  ]);
  expect(prediction.breaking.map(({ rule, loses }) => [rule, loses.length])).toEqual([
    ["operation", 2],
    ["required", 0],
    ["type", 1],
  ]);
  expect([code, prediction.kept, prediction.unpredicted, prediction.problems]).toEqual([1, 2, [], []]);
  expect(stdout).toMatch(
    /GetInstitutions\.response\.shape +passed → failed +breaking +.*found must be integer/,
  );
  const same = await predict(base, base);
  expect([same.code, same.stdout]).toEqual([
    3,
    "The upgrade from 1 to 1 changes no operation of the contract: there was nothing to try.\n",
  ]);
  await expect(readFile(join(out, "prediction.json"))).rejects.toThrow(/ENOENT/);
});

const judged = contract([requirement("a"), requirement("b"), requirement("c")]);
const certified = (entries: readonly LedgerEntry[], problems: readonly string[] = []): Certificate =>
  buildCertificate(runInfo(), [judged], [trialResult(entries)], facts({ problems }));

const document = { file: "f", version: "1", digest: "sha256-00" };
const UPGRADE: Upgrade = {
  old: document,
  new: { ...document, version: "2" },
  changes: { breaking: 0, undecided: 0, compatible: 1, documentation: 0 },
  touched: ["putCard"],
  breaking: [],
  worst: { putCard: "compatible" },
  hanging: [],
  requirements: { added: [], gone: [], changed: [] },
  share: { touched: [], all: 3 },
};
const ALL = [entry("a", "passed"), entry("b", "passed"), entry("c", "passed")];

test("only a passed verdict can be lost, to any other verdict", () => {
  const before = certified([entry("a", "passed"), entry("b", "passed"), entry("c", "advisory")]);
  const after = certified([
    entry("a", "failed", { failure: failure("{}") }),
    entry("b", "blocked", { reason: "the target went away" }),
    entry("c", "failed", { failure: failure("{}") }),
  ]);
  const prediction = predictionOf(UPGRADE, judged, before, after);
  expect(prediction).toMatchObject({
    kept: 0,
    lost: [
      { requirement: "card-enrollment.a", now: "failed", change: "compatible" },
      { requirement: "card-enrollment.b", now: "blocked", reason: "the target went away" },
    ],
    unpredicted: [{ id: "card-enrollment.c", verdict: "advisory" }],
  });
  expect(renderPrediction(prediction)).toContain("0 verdicts kept, 2 lost, 1 that did not pass on 1 either");
});

test("a request that is refused no longer is no loss, and a change that no call reaches says so", () => {
  const rules = [{ requirement: "card-enrollment.a", direction: "request" }] as never;
  const after = certified([entry("a", "failed", { failure: failure("{}") }), ALL[1], ALL[2]] as typeof ALL);
  const change = { fingerprint: "d-0", rule: "type", action: "changed", owner: "o", part: "", pointer: "" };
  const upgrade = (
    operations: readonly string[],
    messages: readonly ("request" | "response")[],
  ): Upgrade => ({
    ...UPGRADE,
    breaking: [{ ...change, operations, messages } as Upgrade["breaking"][number]],
  });
  const predicted = (one: Upgrade) => predictionOf(one, { ...judged, rules }, certified(ALL), after);
  const wider = predicted(upgrade(["getCard"], ["response"]));
  expect(wider).toMatchObject({ kept: 2, lost: [], relaxed: ["card-enrollment.a"] });
  expect(wider.unseen.map(({ why }) => why)).toEqual(["no request was sent to getCard"]);
  expect(renderPrediction(wider)).toContain("no verdict shows it: no request was sent to getCard");
  const stricter = predicted(upgrade(["putCard"], ["request"]));
  expect(stricter).toMatchObject({ lost: [{ requirement: "card-enrollment.a" }], relaxed: [], unseen: [] });
  expect(renderPrediction(stricter)).toContain("it loses card-enrollment.a");
});

test("a verdict that passes in both runs is kept, and the problems of each run are reported", () => {
  const kept = predictionOf(UPGRADE, judged, certified(ALL), certified(ALL, ["The run broke off."]));
  expect(kept).toMatchObject({ kept: 3, lost: [], problems: ["The run broke off."] });
  expect(renderPrediction(kept)).toContain("incomplete: The run broke off.");
});
