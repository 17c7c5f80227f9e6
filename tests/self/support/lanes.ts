/** The lane of a test and the size of a proof; what the lanes are for stands in playwright.config.ts. */
import { test } from "@playwright/test";

/** Runs in the quick lane, though other tests of its file do not. */
export const QUICK = { tag: "@quick" } as const;

/** Runs in the default lane as a sample, and in the long lane in full. */
export const PROOF = { tag: "@proof" } as const;

/** Runs in the long lane alone. */
export const LONG = { tag: "@long" } as const;

/** The sizes of one proof. */
export interface Sizes<Size> {
  readonly sample: Size;
  readonly full: Size;
}

/** The size of the running test. @throws in a test that no lane runs in full */
export const sizeInLane = <Size>({ sample, full }: Sizes<Size>): Size => {
  const { project, tags } = test.info();
  if (!tags.includes(PROOF.tag) && !tags.includes(LONG.tag))
    throw new Error(`Tag the test with ${PROOF.tag}: no lane runs it in full.`);
  return project.name === "long" ? full : sample;
};

/** Twenty seeds, far apart, with the lane of each: the first ones are the sample. */
export const seedsInLanes = (sample: number) =>
  Array.from({ length: 20 }, (_, index) => ({
    seed: 1 + index * 7919,
    lane: index < sample ? PROOF : LONG,
  }));
