/** Counts the files whose functions one trial calls, from the contract to the verdict, as V8 reports it. */
import { Session as Inspector } from "node:inspector/promises";
import { loadContract } from "../../../helpers/contract/load.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { openSession } from "../../../helpers/trials/session.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { embedded } from "../../../runner/embedded.ts";

const REQUIREMENT = "card-enrollment.request.consumer.firstName.max-length";

/** The sandbox runs in this process too, but it is not part of the trial. */
const COUNTED = /\/(?:helpers|fixtures|tests)\/(?!self\/)/;

/** A function that the compiler adds to files. */
const ADDED = "__name";

/** Returns the number of files of which at least one function was called. */
export const filesEntered = async (): Promise<number> => {
  // The trial does not read the document, which the cache of contracts may lack.
  await loadContract("card-enrollment");
  const inspector = new Inspector();
  inspector.connect();
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true });
  await runTrial();
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  inspector.disconnect();
  return result.filter(
    ({ url, functions }) =>
      COUNTED.test(url) &&
      functions.slice(1).some((one) => one.functionName !== ADDED && (one.ranges[0]?.count ?? 0) > 0),
  ).length;
};

const runTrial = async (): Promise<void> => {
  const contract = await loadContract("card-enrollment");
  const { target, close } = await embedded([contract]);
  const trial = (await trialsOf(contract)).find(({ requirements }) => requirements.includes(REQUIREMENT));
  if (trial === undefined) throw new Error(`No trial is about ${REQUIREMENT}.`);
  const { release, changes: _, ...equipment } = await equip(target, {});
  const session = openSession({
    ...equipment,
    contracts: [contract],
    depth: "standard",
    seed: 1,
    prefix: "t0",
  });
  await session.run(trial);
  await session.close();
  await release();
  await close();
};
