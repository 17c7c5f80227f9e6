/** Prints the end of a test run: the slowest tests and files, the skipped ones with reasons, and the counts. */
import { relative } from "node:path";
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from "@playwright/test/reporter";

const SLOWEST = 20;

class Tally implements Reporter {
  #root = "";
  #tests: readonly TestCase[] = [];
  #errors = 0;
  #lines: readonly string[] = [];

  onBegin({ rootDir }: FullConfig, suite: Suite): void {
    this.#root = rootDir;
    this.#tests = suite.allTests();
  }

  /** Counts an error outside any test as a failure, such as a file that can't be loaded. */
  onError(): void {
    this.#errors += 1;
  }

  onEnd({ status }: FullResult): void {
    const count = (outcome: ReturnType<TestCase["outcome"]>): number =>
      this.#tests.filter((test) => test.outcome() === outcome).length;
    // Playwright counts tests that did not run because of an interruption as skipped. Here they count as failed.
    const isCut = status === "interrupted" || status === "timedout";
    const failed = count("unexpected") + this.#errors + (isCut ? count("skipped") : 0);
    this.#lines = [
      ...this.#slowest(),
      ...(isCut ? [] : this.#skipped()),
      `${count("expected")} passed, ${failed} failed`,
    ];
  }

  /** Runs after all other reporters, so that the count is the last line. */
  async onExit(): Promise<void> {
    process.stdout.write(`${this.#lines.join("\n")}\n`);
  }

  #slowest(): string[] {
    const files = new Map<string, number>();
    for (const test of this.#tests) {
      const file = relative(this.#root, test.location.file);
      files.set(file, (files.get(file) ?? 0) + durationOf(test));
    }
    return [
      ...titled("Slowest tests", longest(this.#tests.map((test) => [this.#nameOf(test), durationOf(test)]))),
      ...titled("Slowest files", longest([...files])),
    ];
  }

  /** Lists the skipped tests of each lane by reason: alone by their names, otherwise by their number. */
  #skipped(): string[] {
    const groups = new Map<string, TestCase[]>();
    for (const test of this.#tests.filter((one) => one.outcome() === "skipped")) {
      const key = `(lane ${test.parent.project()?.name}): ${reasonOf(test)}`;
      groups.set(key, [...(groups.get(key) ?? []), test]);
    }
    const lines = [...groups].map(([key, [first, ...others]]) =>
      others.length > 0 || first === undefined
        ? `  ${others.length + 1} tests ${key}`
        : `  ${this.#nameOf(first)} ${key}`,
    );
    return titled("Skipped tests", lines);
  }

  #nameOf(test: TestCase): string {
    const [, , , ...titles] = test.titlePath();
    return [relative(this.#root, test.location.file), ...titles].join(" › ");
  }
}

/** In milliseconds, with all attempts. */
const durationOf = ({ results }: TestCase): number =>
  results.reduce((sum, { duration }) => sum + Math.max(0, duration), 0);

const longest = (timed: readonly (readonly [name: string, ms: number])[]): string[] =>
  [...timed]
    .filter(([, ms]) => ms > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, SLOWEST)
    .map(([name, ms]) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines];

const reasonOf = ({ annotations, results }: TestCase): string => {
  const given = [...annotations, ...results.flatMap((result) => result.annotations)];
  return given.find(({ type }) => type === "skip")?.description ?? "no reason given";
};

// Playwright expects a reporter to be the default export of its file.
export default Tally;
