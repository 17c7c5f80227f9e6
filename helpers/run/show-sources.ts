/** The start of all compiled code (`bin/compiled.cjs`): stack traces name the sources. */
import { showSources } from "../trials/source-maps.ts";

showSources();
