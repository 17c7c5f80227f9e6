/** Renders runs on sandboxes without faults, for people. */
import { styleText } from "node:util";
import { type CleanRun, falseAlarmsOf } from "./false-alarms.ts";

const SHOWN = 20;

/** Ends with a line feed. */
export const renderClean = (
  runs: readonly CleanRun[],
  { color, path }: { readonly color: boolean; readonly path: string },
): string => {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const names = [...new Set(runs.map(nameOf))];
  const alarms = runs.flatMap((run) => falseAlarmsOf(run).map((alarm) => ({ ...alarm, run })));
  const lines = [
    ...names.map((name) => {
      const group = runs.filter((run) => nameOf(run) === name);
      const seeds = new Set(group.map(({ seed }) => seed)).size;
      const exchanges = group.reduce((sum, run) => sum + run.exchanges, 0).toLocaleString("en-US");
      const count = group.flatMap(falseAlarmsOf).length;
      const told = count === 0 ? paint("green", "no false alarm") : paint("red", `${count} false alarms`);
      return `${paint("bold", name)}  ${seeds} ${seeds === 1 ? "seed" : "seeds"}, ${exchanges} exchanges, ${told}`;
    }),
    ...alarms
      .slice(0, SHOWN)
      .map(
        ({ run, verdict, requirement, trial, message }) =>
          `  ${verdict} ${requirement} (${trial}, seed ${run.seed}${run.variant === null ? "" : `, ${run.variant}`}): ${message}`,
      ),
    ...(alarms.length > SHOWN ? [`  and ${alarms.length - SHOWN} more`] : []),
    paint("dim", path),
  ];
  return `\n${lines.join("\n")}\n`;
};

const nameOf = ({ variant, depth }: CleanRun): string => `${variant ?? "as it is"}, ${depth} depth`;
