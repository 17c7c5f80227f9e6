/** The start of all compiled code (`bin/compiled.cjs`), and of the processes of the package: stack traces name the sources. */
import { IS_JAVASCRIPT } from "../contract/code.ts";
import { showSources } from "../trials/source-maps.ts";

// The loaders of the sources show them already.
if (IS_JAVASCRIPT) showSources();
