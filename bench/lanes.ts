/** Measures what developers of the product wait for, compared with a run of everything in the same minutes. */
import { type Measured, measured } from "./commands.ts";
import { inRounds, showRounds } from "./tools.ts";

/** The lanes of the self tests, and how many times as long as a run they may take. */
const LANES = [
  {
    ...{
      what: "npm test -- --project quick",
      args: ["test", "--silent", "--", "--project", "quick"],
      most: 1.5,
    },
    floor: "the processes of the commands, each of which has one test, take more than half of it",
  },
  {
    ...{ what: "npm test", args: ["test", "--silent"], most: 10 },
    floor: "files that start many processes take much of it, although each commit runs a sixth of them",
  },
] as const;

const RUN = ["run", "--silent", "certify"];

export const benchLanes = async (rounds: number): Promise<void> => {
  process.stdout.write("\nWhat developers wait for, as a multiple of a run of everything\n\n");
  for (const { what, args, most, floor } of LANES) {
    const times = await inRounds(rounds, async () => {
      const run = await progress("npm run certify", RUN);
      return (await progress(what, args)).seconds / run.seconds;
    });
    showRounds(what, times, { most, unit: "×", floor });
  }
};

/** Says what is measured now: a round can take several minutes. */
const progress = (what: string, args: readonly string[]): Promise<Measured> => {
  process.stderr.write(`  ${what} …\n`);
  return measured(args);
};
