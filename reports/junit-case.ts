/** Makes the JUnit test case of a trial from what it told. */
import { posix, sep } from "node:path";
import type { TestCase } from "@playwright/test/reporter";
import { fingerprintOf } from "../helpers/accept/fingerprint.ts";
import type { LedgerEntry, LedgerPage } from "../helpers/trials/ledger.ts";
import type { TrialFact } from "./certificate.ts";

export interface EndedCase {
  readonly test: Pick<TestCase, "title" | "titlePath">;
  readonly fact: TrialFact;
  readonly page: LedgerPage | undefined;
  readonly durationMs: number;
}

/**
 * What is accepted is no failure of the build, but is told.
 * @param reasonToAccept of a fingerprint, if it is accepted
 */
export const junitCase = (
  { test, fact, page, durationMs }: EndedCase,
  reasonToAccept: (fingerprint: string) => string | undefined,
) => {
  const [, service = "", file = "", ...titles] = test.titlePath();
  return {
    name: test.title,
    classname: [service, ...titles.slice(0, -1)].map((part) => part.replaceAll(".", " ")).join("."),
    file: posix.join("tests", file.split(sep).join("/")),
    seconds: durationMs / 1000,
    properties: [
      ["trial", fact.trial] as const,
      ...fact.requirements.map((requirement) => ["requirement", requirement] as const),
    ],
    result: resultOf(fact, page?.entries ?? [], reasonToAccept),
  };
};

const resultOf = (
  fact: TrialFact,
  entries: readonly LedgerEntry[],
  reasonToAccept: (fingerprint: string) => string | undefined,
): JunitResult => {
  const failed = entries.filter(({ verdict }) => verdict === "failed");
  const reasons = failed.map(({ requirement, failure }) =>
    failure === undefined ? undefined : reasonToAccept(fingerprintOf(requirement, failure)),
  );
  const open = failed.filter((_, index) => reasons[index] === undefined);
  if (open.length > 0) return wrong("failure", open.map(failureText));
  if (fact.state !== "finished") return wrong("error", [fact.reason ?? "its trial did not finish"]);
  const blocked = entries.filter(({ verdict }) => verdict === "blocked");
  if (blocked.length > 0) {
    return wrong(
      "error",
      blocked.map(({ requirement, reason }) => `${requirement}: blocked: ${reason}`),
    );
  }
  if (failed.length > 0) return { kind: "skipped", message: `accepted: ${reasons[0]}` };
  const [first] = entries;
  return first !== undefined && entries.every(({ verdict }) => verdict === "not-tried")
    ? { kind: "skipped", message: first.reason ?? "nothing could be tried" }
    : { kind: "passed" };
};

const wrong = (kind: "failure" | "error", texts: readonly string[]): JunitResult => {
  const [message = ""] = (texts[0] ?? "").split("\n", 1);
  return { kind, message, text: texts.join("\n\n") };
};

const failureText = ({ requirement, failure }: LedgerEntry): string =>
  failure === undefined
    ? `${requirement}: violated`
    : [
        `${requirement}: ${failure.message}`,
        `expected: ${failure.expected}`,
        `got: ${failure.actual}`,
        `curl: ${failure.curl}`,
        `fingerprint: ${fingerprintOf(requirement, failure)}`,
      ].join("\n");

export type JunitCase = ReturnType<typeof junitCase>;

/** `failure` violates something, `error` could not be tried. */
export type JunitResult =
  | { readonly kind: "passed" }
  | { readonly kind: "failure" | "error"; readonly message: string; readonly text: string }
  | { readonly kind: "skipped"; readonly message: string };
