/** How Node runs what lives for seconds: too short for much of what its engine would optimize by itself. */

/** The V8 of Node 20 alone optimizes as early as that, and knows the option. */
export const SHORT_LIVED: readonly string[] = process.versions.v8.startsWith("11.")
  ? ["--interrupt-budget=300000"]
  : [];
