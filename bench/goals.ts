/** Measures what users wait for, three times each, next to the goals for two quiet cores. */
import { type MeasuredRun, measured, measuredRun } from "./commands.ts";
import { median } from "./operations.ts";
import { type Goal, goalLine } from "./tools.ts";

const ROUNDS = 3;

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

export const benchGoals = async (): Promise<void> => {
  process.stdout.write(`\nWhat users wait for: the median of ${ROUNDS} rounds, and the rounds\n\n`);
  for (const { flags, rows } of RUNS) {
    const runs = await rounds(() => measuredRun(flags));
    for (const { what, goal, of } of rows) show(what, runs.map(of), goal);
  }
  const help = await rounds(() => measured(["run", "--silent", "certify", "--", "--help"]));
  show(
    "npm run certify -- --help",
    help.map(({ seconds }) => seconds),
    { most: 0.4, unit: "s" },
  );
  const quick = await rounds(() => measured(["test", "--silent", "--", "--project", "quick"]));
  show(
    "npm test -- --project quick",
    quick.map(({ seconds }) => seconds),
    { most: 45, unit: "s" },
  );
};

const show = (what: string, values: readonly number[], goal: Goal): void => {
  const all = values.map((value) => value.toFixed(value < 10 ? 1 : 0)).join(", ");
  process.stdout.write(`${goalLine(what, median(values), goal)}  (${all})\n`);
};

const rounds = async <Value>(measure: () => Promise<Value>): Promise<Value[]> => {
  const values: Value[] = [];
  for (let round = 0; round < ROUNDS; round += 1) values.push(await measure());
  return values;
};
