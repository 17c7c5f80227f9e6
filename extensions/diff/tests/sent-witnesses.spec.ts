/** The witnesses of a diff in a run: each breaking change convicts the new version, or the run says why it cannot. */
import { expect, test } from "@playwright/test";
import { messagesOf } from "../../../tests/self/support/compile.ts";
import { PROOF, sizeInLane } from "../../../tests/self/support/lanes.ts";
import type { ToldPair } from "./prove-witnesses.ts";

test("each breaking change of many documents convicts, or says why no message shows it", PROOF, async () => {
  const pairs = sizeInLane({ sample: [0], full: Array.from({ length: 10 }, (_, index) => index) });
  const folder = test.info().outputPath("documents");
  const all = await messagesOf<ToldPair>(
    "extensions/diff/tests/prove-witnesses.ts",
    folder,
    folder,
    pairs.join(","),
  );
  const changes = all.flatMap((one) => one.changes);
  // A passed change is one whose answers are still the ones of the old document.
  const isTold = ({ verdict, reason, about }: (typeof changes)[number]): boolean =>
    verdict === "advisory" || (verdict === "passed" && about.includes(" response ")) || reason !== "";
  expect(changes.filter((one) => !isTold(one))).toEqual([]);
  expect(changes.filter(({ verdict }) => verdict === "blocked" || verdict === "failed")).toEqual([]);
  const ofAnswers = changes.filter(({ about }) => about.includes(" response "));
  const unshown = changes.filter(({ verdict }) => verdict !== "advisory");
  // A request shows its change, unless another alternative allows it. The sandbox chooses its answers.
  const unsent = unshown.filter((one) => !ofAnswers.includes(one));
  expect(unsent.filter(({ reason }) => !reason.includes("another alternative allows it"))).toEqual([]);
  const most = sizeInLane({ sample: ofAnswers.length / 2, full: changes.length / 10 });
  expect(unshown.length - unsent.length).toBeLessThanOrEqual(most);
  for (const { requests } of all) expect(requests[0]).toBeLessThanOrEqual(1.1 * requests[1]);
});
