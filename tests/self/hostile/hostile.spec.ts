/** The table of hostile modes: for each misbehaviour of a server, the run has the right outcome. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { LONG, PROOF, sizeInLane } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { type Judged, judge } from "./judged.ts";
import type { Mode } from "./mode.ts";
import { ANSWER_MODES } from "./modes-answers.ts";
import { CONNECTION_MODES } from "./modes-connections.ts";
import { TEXT_MODES } from "./modes-texts.ts";

const contract = await loadContract("card-enrollment");
const trials = await trialsOf(contract);

/** The default lane tries every n-th trial only. */
const SPACING = { sample: 6, full: 1 };

let sandbox: Sandbox;

test.beforeAll(async () => {
  const options = { services: [contract.service], port: 0, seed: 1, faults: [] } as const;
  sandbox = await startSandbox({ ...options, contracts: [contract] });
});
test.afterAll(() => sandbox.close());
test.afterEach(closeAll);

const textsOf = ({ certificate }: Judged): string =>
  [
    ...certificate.findings.flatMap(({ message, actual }) => [message, actual]),
    ...certificate.requirements.map(({ reason }) => reason ?? ""),
    ...certificate.observations.flatMap(({ observed }) => observed),
  ].join("\n");

/** Returns how a run differs from what it must be; empty if it does not. */
const problemsOf = (mode: Mode, judged: Judged): string[] => {
  const { certificate, crashes } = judged;
  const { outcome, summary, requirements } = certificate;
  const found = requirements.filter(({ verdict }) => verdict === "passed");
  return [
    ...crashes,
    ...(mode.ends.includes(outcome) ? [] : [`it ends with ${outcome}: ${JSON.stringify(summary)}`]),
    ...(mode.says === undefined || mode.says.test(textsOf(judged)) ? [] : [`nothing says ${mode.says}`]),
    ...(mode.passesNothing && found.length > 0 ? [`${found.length} pass, such as ${found[0]?.id}`] : []),
    ...(mode.failsNothing && summary.failed > 0 ? [`${summary.failed} fail`] : []),
  ];
};

const MODES = [...ANSWER_MODES, ...CONNECTION_MODES, ...TEXT_MODES];

for (const mode of MODES) {
  test(`${mode.about}: ${mode.ends.join(" or ")}`, mode.quick ? PROOF : LONG, async () => {
    const part = trials.filter((_, index) => index % sizeInLane(SPACING) === 0);
    const judged = await judge({ contract, trials: part, sandbox }, mode.misbehave);
    expect(problemsOf(mode, judged)).toEqual([]);
  });
}
