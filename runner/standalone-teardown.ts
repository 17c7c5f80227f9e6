/** The test runner's global teardown, which must be the default export of a file. */
import { endStandaloneRun } from "./standalone.ts";

// biome-ignore lint/style/noDefaultExport: the test runner requires it.
export default endStandaloneRun;
