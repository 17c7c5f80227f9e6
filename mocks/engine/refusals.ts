/** The refusals that the engine decides, by cause: their status, and a message for people. */
export const REFUSALS = {
  "malformed-json": { status: 400, message: "The body is no valid JSON." },
  "missing-body": { status: 400, message: "The request has no body." },
  "content-type": { status: 415, message: "The content type is malformed." },
  "too-large": { status: 413, message: "The body is too large." },
  "invalid-body": { status: 400, message: "The body does not fit its schema." },
  "invalid-parameter": { status: 400, message: "These parameters are wrong: " },
  "malformed-request": { status: 400, message: "The request is malformed." },
  "unknown-path": { status: 404, message: "Nothing is served at this path." },
  "unknown-method": { status: 405, message: "This path does not take this method." },
  trouble: { status: 500, message: "The sandbox answers this on demand." },
  internal: { status: 500, message: "The sandbox failed." },
} as const;
