/** What a run needs beside its public plan: the target with its credentials. It travels in the environment only. */
import type { HubAddress } from "../run/messages.ts";
import type { Target } from "../target/target.ts";
import type { RunInfo } from "./run-info.ts";

export interface RunPlan {
  readonly info: RunInfo;
  readonly target: Target;
  /** Of the process that started the run, which shares its permissions out. */
  readonly hub: HubAddress;
  /** Given where the run is only counted; `asStranger`: the target offers nothing that a stranger's would not. */
  readonly rehearsal?: { readonly asStranger: boolean };
}

/** Never a file: the plan holds credentials. */
const VARIABLE = "ASSAY_RUN";

export const planToEnvironment = (plan: RunPlan): Record<string, string> => ({
  [VARIABLE]: JSON.stringify(plan),
});

/** @throws when the test runner was started by itself */
export const planFromEnvironment = (): RunPlan => {
  const text = process.env[VARIABLE];
  if (text === undefined) {
    throw new Error("A run needs a plan. Start it with: npm run certify -- --help");
  }
  return JSON.parse(text) as RunPlan;
};
