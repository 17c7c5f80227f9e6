/** Whom the refusal of a valid enrollment speaks about: the server, the configuration, or made-up data. */
import type { EnrollmentPath } from "../../fixtures/enrollment.ts";
import { errorDetails, errorStatus } from "../../helpers/checks/error-body.ts";
import { sourcesOf } from "../../helpers/checks/error-source.ts";
import { type Exchange, statusOf } from "../../helpers/exchange/exchange.ts";

/** @returns `undefined` when nothing in the refusal points anywhere */
export const blameOf = (refusal: Exchange, path: EnrollmentPath): Blame["says"] | undefined =>
  BLAME.find(({ applies }) => applies(refusal, path))?.says;

/** For messages: status, error status and sources, or the failure of the connection. */
export const answerOf = (exchange: Exchange | undefined): string => {
  if (exchange === undefined) return "nothing was sent";
  if (exchange.failure !== undefined) return exchange.failure.message;
  const body = exchange.response?.json;
  const [detail] = errorDetails(body);
  const { message } = (body ?? {}) as { message?: unknown };
  const parts = [
    errorStatus(body),
    typeof message === "string" ? message : undefined,
    typeof detail?.reason === "string" ? detail.reason : undefined,
    ...sourcesOf(body),
  ].filter((part) => part !== undefined);
  return [`${statusOf(exchange)}`, ...parts].join(" ");
};

interface Blame {
  readonly applies: (exchange: Exchange, path: EnrollmentPath) => boolean;
  /** Requirement that the refusal breaks, or what the user can do about it. */
  readonly says:
    | { readonly breaks: string; readonly expected: string }
    | { readonly hint: string; readonly notTried?: true };
}

/** What the refusal of a valid enrollment says, first match first. */
const BLAME: readonly Blame[] = [
  {
    applies: (exchange) => exchange.failure !== undefined,
    says: { hint: "is the target running, and CARD_ENROLLMENT_BASE_URL right?" },
  },
  {
    applies: (exchange) => [404, 405, 501].includes(statusOf(exchange)),
    says: { breaks: "path.post-cards", expected: "an enrollment at POST {base_url}/cards" },
  },
  {
    applies: (exchange) => statusOf(exchange) === 415,
    says: {
      breaks: "request.content-type",
      expected: "a body of the content type application/json is taken",
    },
  },
  {
    applies: (exchange) => [401, 403].includes(statusOf(exchange)),
    says: { hint: "check CARD_ENROLLMENT_API_KEY" },
  },
  {
    applies: (exchange) => blames(exchange, ["srcClientId", "serviceId"]),
    says: { hint: "check CARD_ENROLLMENT_SRC_CLIENT_ID and CARD_ENROLLMENT_SERVICE_ID" },
  },
  {
    applies: (exchange, path) =>
      path === "card-number" &&
      (statusOf(exchange) === 500 || blames(exchange, ["encryptedCard", "card.", "primaryAccountNumber"])),
    // Never failed: how the card is encrypted is not shown (gaps: encryptedCard encryption).
    says: {
      hint: "the server could not read the encrypted card: check CARD_ENROLLMENT_ENCRYPTION_KEY and its algorithms",
    },
  },
  {
    applies: (exchange, path) => path === "card-number" && blames(exchange, ["enrolmentReference"]),
    says: { breaks: "enrollment.card-number-path", expected: "200 without enrolmentReferenceData" },
  },
  {
    applies: (exchange, path) =>
      path === "push-account-receipt" && blames(exchange, ["encryptedCard", "card"]),
    says: { breaks: "enrollment.push-account-receipt-path", expected: "200 without encryptedCard" },
  },
  {
    applies: (exchange) =>
      statusOf(exchange) === 400 &&
      errorStatus(exchange.response?.json) !== "INVALID_STATE" &&
      blamesBody(exchange),
    says: { breaks: "request.json-body", expected: "a valid JSON body is read" },
  },
  {
    applies: (exchange, path) => path === "push-account-receipt" && statusOf(exchange) === 400,
    says: {
      notTried: true,
      hint: "needs a push account receipt that the server knows: the made-up one was refused",
    },
  },
  {
    applies: (exchange) => [400, 409].includes(statusOf(exchange)),
    says: { hint: "where a card is enrolled only once, another --seed makes other cards" },
  },
];

const blames = (exchange: Exchange, words: readonly string[]): boolean =>
  sourcesOf(exchange.response?.json).some((source) =>
    words.some((word) => source.toLowerCase().includes(word.toLowerCase())),
  );

/** The request keeps to the contract: blaming its body as a whole says that it was not read. */
const blamesBody = (exchange: Exchange): boolean =>
  sourcesOf(exchange.response?.json).some((source) => /^(request ?)?body$/i.test(source));
