/** The types of the fixture `contract`. */
import type { APIResponse, Response as PageResponse } from "@playwright/test";

/** The parts of a response of `fetch` that are read. */
export interface FetchResponse {
  readonly status: number;
  readonly url: string;
  readonly bodyUsed: boolean;
  readonly headers: { forEach(callback: (value: string, name: string) => void): void };
  clone(): { arrayBuffer(): Promise<ArrayBuffer> };
}

export type JudgedResponse = APIResponse | PageResponse | FetchResponse;

/** Whether deviations from requirements that no document states fail the test, or only annotate it (the default). */
export type Advisories = "fail" | "annotate";

export interface Expectation {
  /** The operationId. It is needed if several operations have the path, and the method is unknown. */
  readonly operation?: string;
  readonly advisories?: Advisories;
}

/** A requirement by which a response was judged. */
export interface JudgedRequirement {
  readonly id: string;
  readonly level: "documented" | "provider" | "assumed" | "gap";
  /** `advisory`: the response deviates from a requirement that no document states. */
  readonly verdict: "passed" | "advisory";
  /** The deviation. */
  readonly message?: string;
}

/** The requirements by which a response was judged. */
export interface Judgement {
  readonly operation: string;
  readonly requirements: readonly JudgedRequirement[];
}

export interface ContractJudge {
  /**
   * Judges a response against its operation: status, media type, and every rule about the body.
   * @throws Error that lists the violated requirements, that says why the response belongs to no operation, or that no
   * requirement judges it
   */
  expect(response: JudgedResponse, expectation?: Expectation): Promise<Judgement>;
}
