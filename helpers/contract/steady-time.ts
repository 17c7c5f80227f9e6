/**
 * Returns milliseconds since 1970, from a clock that nobody sets while the process runs. What `Date` shows may jump, so
 * durations and times to wait for are counted with this.
 */
export const steadyNow = (): number => performance.timeOrigin + performance.now();
