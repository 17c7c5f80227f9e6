/** The test runner's global teardown, which it takes as the default export of a file. */
import { endStandaloneRun } from "./standalone.ts";

// biome-ignore lint/style/noDefaultExport: the test runner asks for it.
export default endStandaloneRun;
