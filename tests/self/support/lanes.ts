/** The lane of a test and the size of a proof (a test of many cases). playwright.config.ts explains the lanes. */
import { test } from "@playwright/test";

/** The tag of a test that runs in the quick lane, even if the other tests of its file do not. */
export const QUICK = { tag: "@quick" } as const;

/** The tag of a test that runs as a sample in the default lane, and in full in the long lane. */
export const PROOF = { tag: "@proof" } as const;

/** The tag of a test that runs in the long lane only. */
export const LONG = { tag: "@long" } as const;

/** The tag of a test that reads files beside the checkout: no lane runs it by default. */
export const PROVIDER = { tag: "@provider" } as const;

/** The lanes of a proof for each service. */
export const SERVICE_LANES = [
  ["card-enrollment", LONG],
  ["installments", PROOF],
  ["financial-data", LONG],
] as const;

/** The sizes of one proof. */
export interface Sizes<Size> {
  readonly sample: Size;
  readonly full: Size;
}

/** Returns the size of the running test. @throws if the test has no tag for running in full */
export const sizeInLane = <Size>({ sample, full }: Sizes<Size>): Size => {
  const { project, tags } = test.info();
  if (!tags.includes(PROOF.tag) && !tags.includes(LONG.tag))
    throw new Error(`Tag the test with ${PROOF.tag}: no lane runs it in full.`);
  return project.name === "long" ? full : sample;
};

/** Returns twenty different seeds with the lane of each. The first `sample` seeds run in the default lane. */
export const seedsInLanes = (sample: number) =>
  Array.from({ length: 20 }, (_, index) => ({
    seed: 1 + index * 7919,
    lane: index < sample ? PROOF : LONG,
  }));

/** Chooses one of so many cases for the default lane. */
export const isInSample = (index: number, of: number): boolean => index % of === 0;
