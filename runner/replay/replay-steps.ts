/** Shows a finding again by its recorded steps. */
import type { Service } from "../../helpers/contract/contract.ts";
import { sentenceOf } from "../../helpers/reasons/reason.ts";
import { type Replay, replay } from "../../helpers/sequences/replay.ts";
import { perform } from "../../helpers/sequences/sequences.ts";
import type { RecordedStep } from "../../helpers/trials/failure.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";
import type { Finding } from "../../reports/certificate/certificate.ts";
import { print } from "../../reports/print.ts";
import { stepText } from "../../reports/render/finding-text.ts";
import { inReplaySession, type ReplayOptions } from "./replay-session.ts";

/** @returns the end, or the problem that stopped the steps */
export const replaySteps = async (
  { requirement }: Pick<Finding, "requirement">,
  sequence: readonly RecordedStep[],
  options: ReplayOptions,
): Promise<Replay["end"] | { readonly problem: string }> => {
  let end: Replay["end"] | undefined;
  const run = async (context: TrialContext): Promise<void> => {
    let number = 0;
    const replayed = await replay(sequence, {
      driver: { send: (call) => context.send(call), perform: (act) => perform(context, act) },
      operations: context.contract.operations,
      values: context.target.values,
      onStep: (step, exchange) => {
        number += 1;
        const now = exchange === undefined ? "" : `, now ${exchange.response?.status ?? "no answer"}`;
        const mark = step.must === undefined ? "  " : "✗ ";
        print(`${mark}${number}. ${stepText(step)}${now}\n`);
      },
    });
    end = replayed.end;
  };
  const service = requirement.split(".")[0] ?? "";
  return inReplaySession(options, async (session) => {
    const result = await session.run(trialOf(service, requirement, run));
    const [problem] = result.entries.flatMap(({ reason }) => reason ?? []);
    return end ?? { problem: result.crash ?? (problem && sentenceOf(problem)) ?? "" };
  });
};

/** Returns a trial that judges nothing: a replay only checks whether one finding still occurs. */
const trialOf = (service: Service, requirement: string, run: Trial["run"]): Trial => ({
  id: "replay",
  service,
  title: "replay",
  section: "",
  operations: [],
  requirements: [requirement],
  hazards: [],
  run,
  observe: () => undefined,
});
