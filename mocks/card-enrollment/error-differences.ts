/** Permitted differences in refusals: their statuses, error statuses, codes and details. */
import type { DeviationRow } from "../engine/deviations/deviation.ts";
import { json, remove, status, switched } from "../engine/deviations/rows.ts";

const ABSENT_KEY = { cause: ["absent-key"] };
const UNKNOWN_KEY = { cause: ["unknown-key"] };
const HEADERS = "401 or 403 or 400 for header problems";
const PARTS = "required fields of the sample error shape and of ErrorDetail";
const DETAIL = "/details/*";

export const ERROR_DIFFERENCES = [
  {
    name: "violations-are-invalid-state",
    what: "Violations of the schema have the error status INVALID_STATE.",
    gaps: ["INVALID_ARGUMENT or INVALID_STATE"],
    effects: json({ status: 400, cause: ["type", "format", "schema"] }, "/status", "INVALID_STATE"),
  },
  {
    name: "missing-number-of-encrypted-card",
    what: "An error about a missing primaryAccountNumber names encryptedCard as its source.",
    gaps: ["card.primaryAccountNumber in the error table"],
    effects: json({ cause: ["missing-pan"] }, `${DETAIL}/source`, "encryptedCard"),
  },
  {
    name: "errors-without-details",
    group: "details",
    what: "Errors have no details.",
    gaps: [PARTS],
    effects: remove({}, "/details"),
    // Only details show them, and no document requires details.
    silences: [
      "error.detail.*",
      "error.declared-shape.errordetail",
      "errors.INVALID_ARGUMENT.sample-detail",
      "errors.INVALID_STATE.sample-detail",
    ],
  },
  {
    name: "details-with-source-only",
    group: "details",
    what: "The details of an error have a source and nothing else.",
    gaps: [PARTS],
    effects: ["reason", "message", "sourceType"].flatMap((field) => remove({}, `${DETAIL}/${field}`)),
    // Only the field sourceType shows them, and no document requires it.
    silences: [
      "error.detail.sourceType.enum",
      "errors.INVALID_ARGUMENT.sample-detail",
      "errors.INVALID_STATE.sample-detail",
    ],
  },
  {
    name: "absent-key-bad-request",
    group: "absent-key",
    what: "A call without a key is answered with 400.",
    gaps: [HEADERS],
    effects: [
      ...status(400, ABSENT_KEY),
      ...json(ABSENT_KEY, "/code", 400),
      ...json(ABSENT_KEY, "/status", "INVALID_ARGUMENT"),
    ],
  },
  {
    name: "absent-key-forbidden",
    group: "absent-key",
    what: "A call without a key is answered with 403.",
    gaps: [HEADERS],
    effects: [...status(403, ABSENT_KEY), ...json(ABSENT_KEY, "/code", 403)],
  },
  {
    name: "unknown-key-forbidden",
    what: "A call with an unknown key is answered with 403.",
    gaps: [HEADERS],
    effects: [...status(403, UNKNOWN_KEY), ...json(UNKNOWN_KEY, "/code", 403)],
    // A server that answers a call without a key with another status too never answers with 401.
    silences: ["auth.401-on-failed-check", "response.401.error-body"],
  },
  {
    name: "own-codes",
    group: "key-codes",
    what: "The bodies of 401 and 403 have codes of the service and an empty error status.",
    gaps: ["codes inside 401 and 403 bodies"],
    effects: [
      ...json({ status: 401 }, "/code", 40_101),
      ...json({ status: 401 }, "/status", ""),
      ...json({ status: 403 }, "/code", 40_302),
      ...json({ status: 403 }, "/status", ""),
    ],
  },
  {
    name: "keys-refused-without-status",
    // A 400 has an error status.
    group: "absent-key",
    what: "The bodies of 401 and 403 have no error status.",
    gaps: ["codes inside 401 and 403 bodies"],
    effects: [...remove({ status: 401 }, "/status"), ...remove({ status: 403 }, "/status")],
  },
  switched("recovery-as-date", "The header Retry-After is a date.", "404 and 503"),
  {
    name: "other-requests-otherwise-refused",
    what: "Unknown paths are answered with 403, other methods with 404, and other content types with 406.",
    gaps: ["other methods, paths and content types"],
    effects: [
      ...status(403, { cause: ["unknown-path"] }),
      ...status(404, { cause: ["unknown-method"] }),
      ...status(406, { cause: ["content-type"] }),
    ],
  },
] as const satisfies readonly DeviationRow[];
