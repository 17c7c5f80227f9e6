/** The test runner's global teardown. The test runner requires a default export. */
import { endStandaloneRun } from "./standalone.ts";

// biome-ignore lint/style/noDefaultExport: the test runner requires it.
export default endStandaloneRun;
