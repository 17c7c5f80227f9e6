/**
 * Right and wrong servers of generated documents. What a document says is read here by code that shares nothing with the
 * product: a right server is never found guilty, and each mistake of a wrong one is found, or told as not tried.
 */
import { expect, test } from "@playwright/test";
import { messagesOf } from "../../../../tests/self/support/compile.ts";
import { PROOF, sizeInLane } from "../../../../tests/self/support/lanes.ts";
import { kindsOf } from "./documents/kinds.ts";
import type { Order, Told } from "./prove.ts";

const MODULE = "extensions/document/tests/proof/prove.ts";

/** The number of documents, and of wrong servers of each. */
const SIZES = { sample: { documents: 10, mistakes: 3 }, full: { documents: 300, mistakes: 5 } };

const PROCESSES = 2;

test("servers of generated documents are judged as OpenAPI says", PROOF, async () => {
  const { documents, mistakes } = sizeInLane(SIZES);
  const seeds = Array.from(
    { length: documents },
    (_, index) => index * Math.floor(SIZES.full.documents / documents),
  );
  const parts = Array.from({ length: PROCESSES }, (_, part) =>
    seeds.filter((_, index) => index % PROCESSES === part),
  );
  const told = (
    await Promise.all(
      parts.map((own, part) => {
        const folder = test.info().outputPath(`documents-${part}`);
        const order: Order = { folder, seeds: own, mistakes };
        return messagesOf<Told>(MODULE, folder, JSON.stringify(order));
      }),
    )
  ).flat();
  const [right, wrong] = [false, true].map((isWrong) =>
    told.filter(({ mistake }) => (mistake !== undefined) === isWrong),
  );
  const shown = ({ seed, kinds, mistake = "right", failed, blocked }: Told) =>
    [`seed ${seed} (${kinds.join(", ")}): ${mistake}`, ...failed, ...blocked].join("\n  ");
  expect(right).toHaveLength(documents);
  const guilty = right?.filter(({ failed, blocked }) => failed.length + blocked.length > 0);
  expect(guilty?.map(shown)).toEqual([]);
  expect(wrong?.filter(({ failed, isTold }) => failed.length === 0 && isTold !== true).map(shown)).toEqual(
    [],
  );
  expect(told.flatMap(({ crash = [] }) => crash)).toEqual([]);
  // The proof shows nothing if the suite tries little, or if a kind never occurs.
  expect(right?.every(({ passed }) => passed > 0)).toBe(true);
  const found = wrong?.filter(({ failed }) => failed.length > 0) ?? [];
  expect(found.length).toBeGreaterThan(0.8 * (wrong?.length ?? 0));
  const kinds = new Set(told.flatMap((one) => one.kinds));
  const all = [...Object.keys(kindsOf("3.0")), ...Object.keys(kindsOf("3.1"))];
  if (documents === SIZES.full.documents) expect(all.filter((kind) => !kinds.has(kind))).toEqual([]);
});
