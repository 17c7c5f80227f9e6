/** Permitted differences in refusals: their statuses, error statuses, codes and details. */
import { json, permitted, remove, status } from "../engine/deviations/rows.ts";

const ABSENT_KEY = { cause: ["absent-key"] };
const UNKNOWN_KEY = { cause: ["unknown-key"] };
const HEADERS = "401 or 403 or 400 for header problems";
const PARTS = "required fields of the sample error shape and of ErrorDetail";
const DETAIL = "/details/*";

export const ERROR_DIFFERENCES = [
  ...permitted("INVALID_ARGUMENT or INVALID_STATE")({
    "violations-are-invalid-state": {
      what: "Violations of the schema have the error status INVALID_STATE.",
      effects: json({ status: 400, cause: ["type", "format", "schema"] }, "/status", "INVALID_STATE"),
    },
  }),
  ...permitted("card.primaryAccountNumber in the error table")({
    "missing-number-of-encrypted-card": {
      what: "An error about a missing primaryAccountNumber names encryptedCard as its source.",
      effects: json({ cause: ["missing-pan"] }, `${DETAIL}/source`, "encryptedCard"),
    },
  }),
  ...permitted(PARTS, { group: "details" })({
    "errors-without-details": {
      what: "Errors have no details.",
      effects: remove({}, "/details"),
      // Only details show them, and no document requires details.
      silences: [
        "error.detail.*",
        "error.declared-shape.errordetail",
        "errors.INVALID_ARGUMENT.sample-detail",
        "errors.INVALID_STATE.sample-detail",
      ],
    },
    "details-with-source-only": {
      what: "The details of an error have a source and nothing else.",
      effects: ["reason", "message", "sourceType"].flatMap((field) => remove({}, `${DETAIL}/${field}`)),
      // Only the field sourceType shows them, and no document requires it.
      silences: [
        "error.detail.sourceType.enum",
        "errors.INVALID_ARGUMENT.sample-detail",
        "errors.INVALID_STATE.sample-detail",
      ],
    },
  }),
  ...permitted(HEADERS)({
    "absent-key-bad-request": {
      what: "A call without a key is answered with 400.",
      effects: [
        ...status(400, ABSENT_KEY),
        ...json(ABSENT_KEY, "/code", 400),
        ...json(ABSENT_KEY, "/status", "INVALID_ARGUMENT"),
      ],
      group: "absent-key",
    },
    "absent-key-forbidden": {
      what: "A call without a key is answered with 403.",
      effects: [...status(403, ABSENT_KEY), ...json(ABSENT_KEY, "/code", 403)],
      group: "absent-key",
    },
    "unknown-key-forbidden": {
      what: "A call with an unknown key is answered with 403.",
      effects: [...status(403, UNKNOWN_KEY), ...json(UNKNOWN_KEY, "/code", 403)],
      // A server that answers a call without a key with another status too never answers with 401.
      silences: ["auth.401-on-failed-check", "response.401.error-body"],
    },
  }),
  ...permitted("codes inside 401 and 403 bodies")({
    "own-codes": {
      what: "The bodies of 401 and 403 have codes of the service and an empty error status.",
      effects: [
        ...json({ status: 401 }, "/code", 40_101),
        ...json({ status: 401 }, "/status", ""),
        ...json({ status: 403 }, "/code", 40_302),
        ...json({ status: 403 }, "/status", ""),
      ],
      group: "key-codes",
    },
    "keys-refused-without-status": {
      what: "The bodies of 401 and 403 have no error status.",
      // A 400 has an error status.
      group: "absent-key",
      effects: [...remove({ status: 401 }, "/status"), ...remove({ status: 403 }, "/status")],
    },
  }),
  ...permitted("404 and 503")({
    "recovery-as-date": "The header Retry-After is a date.",
  }),
  ...permitted("other methods, paths and content types")({
    "other-requests-otherwise-refused": {
      what: "Unknown paths are answered with 403, other methods with 404, and other content types with 406.",
      effects: [
        ...status(403, { cause: ["unknown-path"] }),
        ...status(404, { cause: ["unknown-method"] }),
        ...status(406, { cause: ["content-type"] }),
      ],
    },
  }),
];
