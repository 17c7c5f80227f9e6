/** The signs of the verdicts, drawn once for all that use them. */
import { verbatim } from "./html.ts";

export const signs = verbatim(`<svg class="unseen" aria-hidden="true" focusable="false"><defs>
<symbol id="sign-passed" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7"/><path d="M4.6 8.3 7 10.7l4.4-5"/></symbol>
<symbol id="sign-failed" viewBox="0 0 16 16"><path class="fill" d="M4.9.9h6.2l4 4v6.2l-4 4H4.9l-4-4V4.9z"/><path class="on" d="m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2"/></symbol>
<symbol id="sign-advisory" viewBox="0 0 16 16"><path d="M8 1.6 15 14H1z"/><path d="M8 6.2v3.6m0 1.9v.1"/></symbol>
<symbol id="sign-blocked" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7"/><path d="m3.2 12.8 9.6-9.6"/></symbol>
<symbol id="sign-not-tried" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" stroke-dasharray="2.2 2.2"/></symbol>
</defs></svg>`);
