/** The last line of a test run: how many passed, how many failed. */
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from "@playwright/test/reporter";

class Tally implements Reporter {
  #tests: readonly TestCase[] = [];
  #errors = 0;
  #line = "";

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
  }

  /** What goes wrong outside any test, such as in a file that can't be loaded, has failed as well. */
  onError(): void {
    this.#errors += 1;
  }

  onEnd(result: FullResult): void {
    const count = (outcome: ReturnType<TestCase["outcome"]>): number =>
      this.#tests.filter((test) => test.outcome() === outcome).length;
    // What an interruption kept from running counts as skipped, which it was not meant to be.
    const cut = result.status === "interrupted" || result.status === "timedout" ? count("skipped") : 0;
    this.#line = `${count("expected")} passed, ${count("unexpected") + this.#errors + cut} failed`;
  }

  /** After all other reporters, so that it is the last line. */
  async onExit(): Promise<void> {
    process.stdout.write(`${this.#line}\n`);
  }
}

// The test runner takes a reporter as the default export of its file.
export default Tally;
