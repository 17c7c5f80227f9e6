/** `npm run mutation -- --shard i/n`: the shards of a run together have its results. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { partOf } from "../../../mutation/shards.ts";
import type { Matrix } from "../../../reports/certificate/matrix.ts";
import { matrixPath } from "../../../reports/folder/matrix-file.ts";
import { ROOT, run, temporary } from "../support/command.ts";

const FAULTS = [
  "installments.approvals.approve.refused",
  "installments.approvals.decline.forgotten",
  "card-enrollment.request.consumer.firstName.max-length.off-by-one",
];

const SCORES = join(ROOT, "reports", "matrix-scores.json");

test("each item is in one shard", () => {
  const items = ["a", "b", "c", "d", "e"];
  const parts = [1, 2, 3].map((index) => partOf(items, { index, total: 3 }));
  expect(parts).toEqual([["a", "d"], ["b", "e"], ["c"]]);
  expect(partOf(items, undefined)).toEqual(items);
});

test("merged shards have the faults of the whole run, and shards that do not fit together are refused", async () => {
  const scores = readFileSync(SCORES, "utf8");
  const outs: string[] = [];
  for (const index of [1, 2]) {
    const out = await temporary();
    outs.push(out);
    const part = await run("mutation", ["--fault", FAULTS.join(), "--shard", `${index}/2`, "--out", out]);
    expect([part.code, part.stdout]).toEqual([0, expect.stringContaining("100 % killed")]);
  }
  const [first = "", second = ""] = outs;
  const out = await temporary();
  const merge = (...folders: readonly string[]) => run("mutation", ["--merge", folders.join(), "--out", out]);
  const merged = await merge(first, second);
  expect([merged.code, merged.stdout]).toEqual([0, expect.stringContaining("3 of 3 faults")]);
  const { rows } = JSON.parse(readFileSync(matrixPath(out), "utf8")) as Matrix;
  expect(rows.map(({ subject }) => subject)).toEqual([...FAULTS].sort());
  // The scores of a part of the faults are not kept.
  expect(readFileSync(SCORES, "utf8")).toBe(scores);
  expect(await merge(first)).toMatchObject({ code: 2, stderr: "--merge: shards are missing: 2/2\n" });
  expect(await merge(first, second, second)).toMatchObject({
    code: 2,
    stderr: "--merge: a shard is given twice.\n",
  });
  expect(await merge(out)).toMatchObject({ code: 2, stderr: expect.stringContaining("mutation-shard.json") });
});
