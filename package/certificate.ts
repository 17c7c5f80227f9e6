/** The parts of `certificate.json` that programs read; `schemas/certificate.schema.json` describes the whole file. */

export type Verdict = "passed" | "failed" | "advisory" | "not-tried" | "blocked";

export interface CertifiedRequirement {
  readonly id: string;
  readonly service: string;
  readonly level: "documented" | "provider" | "assumed" | "gap";
  readonly statement: string;
  readonly source: string;
  readonly verdict: Verdict;
  /** The reason for `not-tried` or `blocked`. */
  readonly reason: string | null;
  /** The code of its cause; absent in certificates of earlier versions. */
  readonly code?: string;
  readonly exchanges: number;
  /** Ids of findings. */
  readonly findings: readonly string[];
}

export interface Finding {
  readonly id: string;
  readonly requirement: string;
  readonly operationId: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** Command lines that reproduce the finding. `curl` is empty if no single command can, and `noCurl` says why. */
  readonly curl: string;
  readonly noCurl?: string;
  readonly replay: string;
  /** Identifies the finding across runs. */
  readonly fingerprint: string;
}

export interface Certificate {
  readonly format: "certificate/1";
  readonly half: "service" | "caller" | "listener";
  readonly target: {
    readonly name: string;
    readonly embedded: boolean;
    readonly baseUrls: Readonly<Record<string, string>>;
  };
  readonly seed: number;
  readonly depth: string;
  /** In ISO 8601 format. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Whether a selection, an upgrade, a budget or a shard limited what was tried. */
  readonly partial?: boolean;
  readonly outcome: "certified" | "violations" | "incomplete";
  readonly summary: {
    readonly requirements: number;
    readonly passed: number;
    readonly failed: number;
    readonly advisory: number;
    readonly notTried: number;
    readonly blocked: number;
    readonly exchanges: number;
  };
  readonly requirements: readonly CertifiedRequirement[];
  readonly findings: readonly Finding[];
  readonly problems: readonly string[];
}
