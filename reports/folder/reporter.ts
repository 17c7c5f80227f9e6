/** The test runner's reporter: collects the ledger during the run and updates the certificate. */
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from "@playwright/test/reporter";
import type { Contract } from "../../helpers/contract/contract.ts";
import { systemProblem } from "../../helpers/contract/documents/file-problem.ts";
import { loadContract } from "../../helpers/contract/load.ts";
import { requirementOf } from "../../helpers/contract/lookups.ts";
import { createRedactor } from "../../helpers/exchange/redact.ts";
import { ignoreClosedPipes } from "../../helpers/run/closed-pipes.ts";
import { isUnwritable, replaceFile } from "../../helpers/run/files.ts";
import { coordinatorClient, runPlan } from "../../helpers/run/this-run.ts";
import { crashFile } from "../../helpers/trials/crash.ts";
import type { TrialResult } from "../../helpers/trials/ledger.ts";
import { isSelected, LEDGER_ATTACHMENT, RUN_METADATA, type RunInfo } from "../../helpers/trials/run-info.ts";
import { buildCertificate } from "../certificate/build.ts";
import type { Certificate } from "../certificate/certificate.ts";
import { observedBehaviour } from "../certificate/gaps.ts";
import {
  endedTrial,
  firstLine,
  isLeftOut,
  leftOut,
  plannedTrial,
  serviceOf,
} from "../certificate/trial-facts.ts";
import { isColored, note, print } from "../print.ts";
import { renderAnnotations } from "../render/annotations.ts";
import { type EndedCase, renderTrials } from "../render/junit.ts";
import { showProgress } from "../render/status-line.ts";
import { renderSummary } from "../render/terminal.ts";
import { allureAnnotations } from "./allure.ts";
import { certificatePath, writeCertificate } from "./certificate-file.ts";
import { keepCrash, RUN_CRASHED, RUN_CRASHES, redactError } from "./crashes.ts";
import { reportEvents } from "./events.ts";
import { appendStepSummary, completeResults, junitPath, writeBindings } from "./results.ts";
import { amendCertificate } from "./unfinished.ts";

/** The certificate is written during the run, for a run that is killed. Writing takes at most one part in so many. */
const LEAST_INTERVAL_MS = 1000;
const PARTS = 100;

class CertificateReporter implements Reporter {
  readonly #mergeInto: string | undefined;
  readonly #hasEvents: boolean;
  #reportEnd: ReturnType<typeof reportEvents> | undefined;
  #run: RunInfo | undefined;
  #contracts: readonly Contract[] = [];
  #loading: Promise<void> = Promise.resolve();
  /** The trials, planned or ended, by the id of their test. */
  readonly #cases = new Map<string, EndedCase>();
  readonly #problems = new Set<string>();
  /** Traces of failures outside of any trial. They are stored here until the output folder is known. */
  readonly #traces: string[] = [];
  /** Redacts by shape only until the secrets of the target are known, and when shards are merged. */
  #redactor = createRedactor({}, []);
  #progress: ReturnType<typeof showProgress> | undefined;
  #writer: NodeJS.Timeout | undefined;
  readonly #began = performance.now();
  #changed = false;
  #isUnwritable = false;
  /** Whether the budget was used up before the last trials. */
  #isSpent = false;
  #isComplete = false;
  #certificate: Certificate | undefined;

  /** @param mergeInto the directory for the merged certificate; set only when shards are merged */
  constructor({ mergeInto, events }: { readonly mergeInto?: string; readonly events?: boolean }) {
    this.#mergeInto = mergeInto;
    this.#hasEvents = events === true;
    ignoreClosedPipes((error) => {
      const problem = systemProblem(error)?.sentence ?? error.message;
      if (this.#problems.has(problem)) return;
      this.#problems.add(problem);
      note(`${problem}\n`);
      if (this.#run && this.#isComplete) amendCertificate(this.#run.out, problem);
    });
  }

  printsToStdio(): boolean {
    return true;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    const run = config.metadata[RUN_METADATA] as RunInfo | undefined;
    if (!run) throw new Error(`The plan of the run is missing: set metadata.${RUN_METADATA} in the config.`);
    this.#run = this.#mergeInto === undefined ? run : { ...run, out: this.#mergeInto, shard: null };
    for (const test of suite.allTests()) {
      const trial = plannedTrial(test);
      if (!trial) continue;
      this.#cases.set(test.id, { test, fact: trial, trialResult: undefined, durationMs: 0 });
      test.annotations.push(...allureAnnotations(test, trial));
    }
    if (this.#hasEvents) this.#reportEnd = reportEvents(run, this.#cases.size);
    this.#loading = this.#loadContracts(this.#run);
    Promise.all([runPlan(), this.#loading]).then(
      ([{ target }]) => {
        this.#redactor = createRedactor(target.values, this.#contracts);
      },
      () => {},
    );
    this.#progress = showProgress({
      trials: this.#cases.size,
      counts: (requirement) => this.#counts(requirement),
      stream: process.stdout,
    });
    this.#writeLater(LEAST_INTERVAL_MS);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const planned = this.#cases.get(test.id)?.fact;
    if (!planned) return;
    // Failing trials set this status to keep their worker process. Later reporters must see a failure.
    if (test.expectedStatus === "failed") test.expectedStatus = "passed";
    for (const error of result.errors) redactError(error, this.#redactor);
    const service = serviceOf(test);
    const { fact, trialResult, trace } = endedTrial(planned, result, service);
    this.#reportEnd?.(test.id, service, fact, trialResult);
    const out = this.#run?.out;
    if (trace !== undefined && out !== undefined) {
      this.#store(() => keepCrash(out, crashFile(service, fact.trial), trace));
    }
    this.#cases.set(test.id, { test, fact, trialResult, durationMs: result.duration });
    // Only a merge reads the trial result again; later reporters do not need it.
    if (this.#run?.shard === null)
      result.attachments = result.attachments.filter(({ name }) => name !== LEDGER_ATTACHMENT);
    this.#progress?.ended(trialResult);
    this.#changed = true;
    if (trialResult?.entries.some(isLeftOut)) void this.#endIfSpent();
  }

  /** Ends the test runner when the budget leaves no request: each trial would take its time to say so. */
  async #endIfSpent(): Promise<void> {
    const isPlanned = () => [...this.#cases.values()].some(({ fact }) => fact.state === "planned");
    if (this.#isSpent || this.#run?.shard !== null || !(await coordinatorClient().isBudgetSpent())) return;
    if (this.#isSpent || !isPlanned()) return;
    this.#isSpent = true;
    process.kill(process.pid, "SIGINT");
  }

  onError(error: TestError): void {
    redactError(error, this.#redactor);
    // An error without a place in code is a message of the test runner, for example that there are no tests.
    if (!/\n\s+at /.test(error.stack ?? "")) {
      const message = this.#undeclared() ?? firstLine(error.message ?? error.value);
      this.#problems.add(message ?? "An error without a message.");
      return;
    }
    this.#traces.push(error.stack ?? "");
    this.#problems.add(RUN_CRASHED);
  }

  /** Returns who would have to declare a trial, if the run has none because of its selection. */
  #undeclared(): string | undefined {
    const wanted = this.#run?.selection?.requirements;
    if (this.#cases.size > 0 || wanted === undefined) return undefined;
    const services = this.#run?.services.map((service) => `tests/${service}`).join(" or ");
    return `No trial declares ${wanted.join(", ")}: a scenario in ${services} would have to name it in its requirements.`;
  }

  async onEnd(result: FullResult): Promise<void> {
    clearTimeout(this.#writer);
    this.#progress?.stop();
    await this.#loading;
    if (!this.#run) return;
    const { out } = this.#run;
    for (const trace of this.#traces)
      this.#store(() => keepCrash(out, RUN_CRASHES, this.#redactor.text(trace)));
    for (const [id, one] of this.#isSpent ? this.#cases : [])
      this.#cases.set(id, { ...one, ...leftOut(one, serviceOf(one.test)) });
    const brokenOff = result.status === "interrupted" && !this.#isSpent;
    if (brokenOff) this.#problems.add("The run was interrupted.");
    if (this.#mergeInto !== undefined) {
      this.#run = { ...this.#run, startedAt: result.startTime.toISOString() };
    }
    this.#certificate = this.#build(this.#run, result.duration, brokenOff);
    this.#store(() => this.#complete());
    this.#isComplete = true;
    if (this.#isUnwritable) this.#write(result.duration);
    try {
      appendStepSummary(this.#certificate);
    } catch (error) {
      note(`GITHUB_STEP_SUMMARY can't be written to: ${(error as Error).message}\n`);
    }
  }

  #complete(): void {
    if (!this.#run || !this.#certificate) return;
    const observed = observedBehaviour(this.#contracts, this.#results());
    this.#certificate = completeResults(this.#run.out, this.#certificate, observed);
    const junit = renderTrials(this.#run, this.#certificate, [...this.#cases.values()]);
    replaceFile(junitPath(this.#run.out), junit);
  }

  /** Prints the summary last, after the output of all other reporters. */
  async onExit(): Promise<void> {
    if (!this.#certificate || !this.#run) return;
    const color = isColored();
    const path = certificatePath(this.#run.out);
    print(renderSummary(this.#certificate, { color, path }));
    if (process.env.GITHUB_ACTIONS === "true" && this.#run.shard === null)
      print(renderAnnotations(this.#certificate));
  }

  async #loadContracts(run: RunInfo): Promise<void> {
    try {
      this.#contracts = await Promise.all(
        run.contracts.map((planned) => loadContract(planned.service, planned)),
      );
      writeBindings(run.out, this.#contracts);
    } catch (error) {
      this.#problems.add((error as Error).message);
    }
    for (const { service, digest } of run.contracts) {
      const loaded = this.#contracts.find((contract) => contract.service === service);
      if (loaded && loaded.digest !== digest) {
        this.#problems.add(
          `The contract of ${service} differs from the one that the run used: use the same version of the product.`,
        );
      }
    }
    // The command has written a certificate without results.
    this.#changed = true;
  }

  /** Writes results. The run goes on without them if the disk is full, for example. */
  #store(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      if (!this.#isUnwritable) note(`The results can't be written: ${error.message}\n`);
      this.#isUnwritable = true;
      this.#problems.add(`Not all results could be written: ${error.code}.`);
    }
  }

  /** Whether the run selects the requirement, and its verdict is not limited to an advisory. */
  #counts(id: string): boolean {
    if (!this.#run) return false;
    for (const contract of this.#contracts) {
      const requirement = requirementOf(contract, id);
      if (requirement === undefined) continue;
      return isSelected(this.#run.selection, requirement) && !contract.requirementSet?.later.includes(id);
    }
    return false;
  }

  #results(): TrialResult[] {
    return [...this.#cases.values()].flatMap(({ trialResult }) => trialResult ?? []);
  }

  #writeLater(intervalMs: number): void {
    this.#writer = setTimeout(() => {
      const started = performance.now();
      if (this.#changed) this.#write();
      this.#writeLater(Math.max(LEAST_INTERVAL_MS, PARTS * (performance.now() - started)));
    }, intervalMs).unref();
  }

  #write(durationMs = performance.now() - this.#began): void {
    if (!this.#run) return;
    const { out } = this.#run;
    this.#changed = false;
    const certificate = this.#build(this.#run, durationMs, true);
    this.#certificate = certificate;
    this.#store(() => writeCertificate(out, certificate));
  }

  #build(run: RunInfo, durationMs: number, brokenOff: boolean): Certificate {
    return buildCertificate(run, this.#contracts, this.#results(), {
      trials: [...this.#cases.values()].map(({ fact }) => fact),
      problems: [...this.#problems],
      durationMs,
      brokenOff,
    });
  }
}

// The test runner takes a reporter as the default export of its file.
export default CertificateReporter;
