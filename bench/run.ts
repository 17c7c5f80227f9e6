/**
 * Compares a run with an HTTP client pool that only sends the same requests, and the sandbox with a route that always
 * only gives the recorded answers.
 */
import type { Service } from "../helpers/contract/contract.ts";
import { benchFiles } from "./files.ts";
import { certify, LANES, lanesOf, on, recordRun, replayed, standBare, standUp } from "./recording.ts";
import { type Measurement, ratio, tableRow, timed } from "./tools.ts";

/**
 * Measures one run of the services at standard depth.
 * @throws when the run does not certify the sandbox, because the measured time is then meaningless
 */
export const benchRun = async (services: readonly Service[]): Promise<void> => {
  await using files = await benchFiles();
  const fresh = () => standUp(services, files.key);
  const { requests, answers } = await on(await fresh(), (sandbox) => recordRun(sandbox, services));
  const stages = lanesOf(requests);
  const row = (what: string, seconds: number): Measurement => ({ what, requests: requests.length, seconds });
  const run = await on(await fresh(), async (sandbox) =>
    row("certify", await timed(() => certify(sandbox, services, sandbox.origin))),
  );
  const again = await on(await fresh(), (sandbox) => replayed(files, sandbox.origin, stages));
  const pool = row("bare pool", again.seconds);
  const bare = await on(await standBare(await files.write("answers.json", answers)), ({ origin }) =>
    replayed(files, origin, stages),
  );
  const route = row("bare route", bare.seconds);
  const [all, alike] = [requests.length, again.same].map((count) => count.toLocaleString("en-US"));
  process.stdout.write(
    [
      `${services.join(", ")}: standard depth, the same ${all} requests each time, in ${LANES} lanes`,
      "",
      ...[run, pool, route].map(tableRow),
      "",
      `  ${alike} responses to the bare pool had the same status as in the run`,
      ratio("certify takes", run, pool, "bare pool"),
      ratio("the sandbox takes", pool, route, "bare route"),
      "",
      "",
    ].join("\n"),
  );
};
