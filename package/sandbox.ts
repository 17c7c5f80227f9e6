/** `assay/sandbox`: the embedded sandbox in the process of a test. It stops with the test. */

export type { SandboxData } from "../mocks/engine/data/data.ts";
export type { DeliveryRecord } from "../mocks/engine/deliveries/deliveries.ts";
export type {
  Expectation,
  LoggedRequest,
  RequestFilter,
  Verification,
} from "../mocks/engine/request-log.ts";
export type { Trouble, TroubleAnswer } from "../mocks/engine/trouble/troubles.ts";
export {
  type ServiceName,
  startSandbox,
  type TestClock,
  type TestSandbox as Sandbox,
  type TestSandboxOptions as SandboxOptions,
} from "../mocks/sandbox.ts";
