/** Measures what users wait for next to the goals for two quiet processors. */
import { type MeasuredRun, measured, measuredRun } from "./commands.ts";
import { type Goal, inRounds, showRounds } from "./tools.ts";

interface Row {
  readonly what: string;
  readonly goal: Goal;
  /** Returns the value from a measurement. */
  readonly of: (run: MeasuredRun) => number;
}

const duration = (run: MeasuredRun): number => run.seconds;

const RUNS: readonly { readonly flags: readonly string[]; readonly rows: readonly Row[] }[] = [
  {
    flags: [],
    rows: [
      { what: "a run of everything", goal: { most: 13, unit: "s" }, of: duration },
      { what: "its CPU time", goal: { most: 26, unit: "CPU-s" }, of: (run) => run.cpuSeconds },
      { what: "its requests", goal: { most: 14_000, unit: "requests" }, of: (run) => run.exchanges },
      { what: "its first sign of life", goal: { most: 0.8, unit: "s" }, of: (run) => run.firstOutput },
      { what: "its first verdict", goal: { most: 2, unit: "s" }, of: (run) => run.firstVerdict },
      { what: "the memory of its largest process", goal: { unit: "MB" }, of: (run) => run.megabytes },
    ],
  },
  {
    flags: ["--depth", "quick"],
    rows: [
      {
        what: "requests at quick depth",
        goal: { most: 3_500, unit: "requests" },
        of: (run) => run.exchanges,
      },
    ],
  },
  {
    flags: ["--service", "card-enrollment"],
    rows: [{ what: "card enrollment alone", goal: { most: 4.5, unit: "s" }, of: duration }],
  },
  {
    flags: ["--service", "financial-data", "--operation", "GetCustomer"],
    rows: [{ what: "one operation", goal: { most: 3.5, unit: "s" }, of: duration }],
  },
];

export const benchGoals = async (rounds: number): Promise<void> => {
  process.stdout.write("\nWhat users wait for\n\n");
  for (const { flags, rows } of RUNS) {
    const runs = await inRounds(rounds, () => measuredRun(flags));
    for (const { what, goal, of } of rows) showRounds(what, runs.map(of), goal);
  }
  const help = await inRounds(rounds, () => measured(["run", "--silent", "certify", "--", "--help"]));
  showRounds(
    "npm run certify -- --help",
    help.map(({ seconds }) => seconds),
    { most: 0.4, unit: "s" },
  );
};
