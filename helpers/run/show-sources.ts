/** The start of all compiled code (`bin/compiled.cjs`): stack traces name the sources. */
import { showSources } from "./source-maps.ts";

showSources();
