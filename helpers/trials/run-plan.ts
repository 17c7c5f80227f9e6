/** What the processes of a run need to know: its public plan, and the target with its credentials. */
import type { Target } from "../target/target.ts";
import type { RunInfo } from "./run-info.ts";

/** Never written to a file or an environment, since it holds credentials: processes ask the coordinator for it. */
export interface RunPlan {
  readonly info: RunInfo;
  readonly target: Target;
  /** Folder that the test runner may empty. */
  readonly scratch: string;
  /** Whether the test runner was started by itself: its own reporters tell what came of the tests, and no certificate. */
  readonly standalone?: boolean;
  /** Whether Allure's results are written as well. */
  readonly allure?: boolean;
  /** Given where the run is only counted; `asStranger`: the target offers nothing that a stranger's would not. */
  readonly rehearsal?: { readonly asStranger: boolean };
}
