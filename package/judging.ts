/** What the fixture `contract` offers. */
import type { APIResponse, Response } from "@playwright/test";

export interface Expectation {
  /** The operationId. It is needed if several operations have the path, and the method is unknown. */
  readonly operation?: string;
}

export interface ContractJudge {
  /**
   * Judges a response against its operation: status, media type, and every rule about the body.
   * @throws Error that lists the violated requirements, or says why the response belongs to no operation
   */
  expect(response: APIResponse | Response, expectation?: Expectation): Promise<void>;
}
