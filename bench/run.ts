/**
 * Compares a run with an HTTP client pool that only sends the same requests, and the sandbox with a route that only gives
 * the recorded answers.
 */
import type { Service } from "../helpers/contract/contract.ts";
import { benchFiles } from "./files.ts";
import { certify, LANES, lanesOf, on, recordRun, replayed, standBare, standUp } from "./recording.ts";
import { inRounds, type Measurement, showRounds, tableRow, timed } from "./tools.ts";

/** How many times as long as the route the sandbox may take. */
const SANDBOX = {
  most: 2.5,
  unit: "×",
  floor:
    "the route sends recorded bytes; the sandbox reads, checks and decrypts each request, keeps state, and makes each answer",
};

const SUITE =
  "a run also starts the test runner, generates requests, judges each answer and looks for occasions";

/**
 * Measures runs of the services at standard depth.
 * @param most how many times as long as the pool a run may take
 * @throws when a run does not certify the sandbox, because the measured time is then meaningless
 */
export const benchRun = async (services: readonly Service[], most: number, rounds: number): Promise<void> => {
  await using files = await benchFiles();
  const fresh = () => standUp(services, files.key);
  const { requests, answers } = await on(await fresh(), (sandbox) => recordRun(sandbox, services));
  const stages = lanesOf(requests);
  const answersFile = await files.write("answers.json", answers);
  const row = (what: string, seconds: number): Measurement => ({ what, requests: requests.length, seconds });
  const measurements = await inRounds(rounds, async () => {
    const run = await on(await fresh(), (sandbox) => timed(() => certify(sandbox, services, sandbox.origin)));
    const pool = await on(await fresh(), ({ origin }) => replayed(files, origin, stages));
    const route = await on(await standBare(answersFile), ({ origin }) => replayed(files, origin, stages));
    const rows = [row("certify", run), row("bare pool", pool.seconds), row("bare route", route.seconds)];
    process.stdout.write(`${rows.map(tableRow).join("\n")}\n`);
    return { run, pool: pool.seconds, route: route.seconds, same: pool.same };
  });
  const [all, alike] = [requests.length, measurements[0]?.same ?? 0].map((count) =>
    count.toLocaleString("en-US"),
  );
  process.stdout.write(
    `${services.join(", ")}: standard depth, the same ${all} requests each time, in ${LANES} lanes; ` +
      `${alike} answers to the pool had the status of the run\n`,
  );
  showRounds(
    "a run, compared with the bare pool",
    measurements.map(({ run, pool }) => run / pool),
    { most, unit: "×", floor: SUITE },
  );
  showRounds(
    "the sandbox, compared with a bare route",
    measurements.map(({ pool, route }) => pool / route),
    SANDBOX,
  );
};
