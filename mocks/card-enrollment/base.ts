/** The path prefix of the service (What the service does). */
export const BASE = "/src/api/digital/payments";
