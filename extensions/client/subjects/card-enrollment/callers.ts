/** The clients of card enrollment that prove the caller checks: right ones, and wrong ones that differ in one thing. */
import { generateKeyPairSync } from "node:crypto";
import { hasty, header, RETRYING, STRICT, url, wrongBy } from "../habits.ts";
import { type RightClient, sendInChunks, type WrongClient } from "../setting.ts";
import { type Body, type Habits, RIGHT, runClient, set } from "./client.ts";

const IDENTITY = "consumer.consumerIdentity";

const correct = (name: string, habits: Partial<Habits>, exercises?: readonly string[]): RightClient => ({
  ...{ name, run: (setting) => runClient(setting, { ...RIGHT, ...habits }) },
  ...(exercises && { exercises }),
});

/** A client whose first enrollment has a mistake. @param ways of the first enrollment and of those after it */
const correcting = (
  name: string,
  [way, ...ways]: readonly ["card" | "receipt", ...Habits["ways"]],
  mistake: Body,
): RightClient => ({
  name,
  async run(setting) {
    await runClient(setting, { ...RIGHT, ways: [way], body: (body) => ({ ...body, ...mistake }) });
    await runClient(setting, { ...RIGHT, ways });
  },
  exercises: [],
});

export const right: readonly RightClient[] = [
  { ...correct("fetch", { ways: [...RIGHT.ways, ...RIGHT.ways] }), getsThrough: 5 },
  { name: "bodies in chunks", run: (setting) => runClient({ ...setting, send: sendInChunks }) },
  correct("jitter and receipts only", {
    ways: ["receipt", "receipt"],
    retrying: { ...RETRYING, jitter: true },
  }),
  correct("a new body for each attempt", { renewsBody: true }),
  correct(
    "an e-mail address with a quoted local part",
    { body: set(`${IDENTITY}.identityValue`, '"robin m"@example.com') },
    [],
  ),
  correct("minimal body", {
    body: ({ srcCorrelationId: _, cardSource: __, ...body }) => body,
    card: ({ primaryAccountNumber }: Body) => ({ primaryAccountNumber }),
  }),
  correcting("a first enrollment that is refused, and corrected", ["card", "receipt", "receipt"], {
    srcClientId: "00000000-0000-4000-8000-000000000000",
  }),
  correcting("a refused service id, corrected", ["receipt", "receipt", "card"], {
    serviceId: "PROGRAM-OF-NOBODY",
  }),
  correct(
    "trace headers, and digits that are no card",
    {
      request: (sending) => ({
        ...sending,
        url: `${sending.url}?_=1700000000000`,
        headers: { ...sending.headers, "x-request-id": "4539578763621486", "x-span": "5555341244441115" },
      }),
    },
    [],
  ),
];

const client = wrongBy(runClient, { ...RIGHT, ways: ["receipt", "card"] });

/** A client that enrolls in one way only. */
const by =
  (way: Habits["ways"][number]) =>
  (name: string, requirement: string, habits: Partial<Habits>): WrongClient =>
    client(name, requirement, { ways: [way], ...habits });
const [byCard, byReceipt] = [by("card"), by("receipt")];

/** @param rule the last segment of the requirement on the field at the path */
const inBody = (name: string, rule: string, path: string, value: unknown): WrongClient =>
  client(name, `request.${path}.${rule}`, { body: set(path, value) });

const inReceipt = (name: string, rule: string, path: string, value: unknown): WrongClient =>
  byReceipt(name, `request.${path}.${rule}`, { body: set(path, value) });

const inCard = (name: string, rule: string, path: string, value: unknown): WrongClient =>
  client(name, `request.card.${path}.${rule}`, { ways: ["card"], card: set(path, value) });

const otherKey = (): string => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return JSON.stringify(publicKey.export({ format: "jwk" }));
};

const PAN = "5555341244441115";
const KEY = "x-openapi-clientid";

const inUrl = (name: string, requirement: string, change: Parameters<typeof url>[0]): WrongClient =>
  client(name, requirement, { request: url(change) });

/** A member of the body beside the encrypted card. */
const beside = (name: string, path: string, value: unknown): WrongClient =>
  client(name, "caller.secrets-in-their-places", { ways: ["card"], body: set(path, value) });

const inHeader = (name: string, requirement: string, own: string, value: string | undefined): WrongClient =>
  client(name, requirement, { request: header(own, value) });

const CONSENT = "complianceSettings";
const PHONE = "consumer.mobileNumber";
const RECEIPT = "enrolmentReferenceData";
const SHOWN = "caller.no-secret-in-url";
const ONE_ID = { body: set("srcCorrelationId", "7a2c9b54-2d5e-4f0b-9c1e-0a1b2c3d4e5f") };

export const wrong: readonly WrongClient[] = [
  client("no consent to the terms", "request.complianceSettings.carries-consent", {
    body: set(`${CONSENT}.tnc`, undefined),
  }),
  client("consent without a document", "request.complianceSettings.carries-consent", {
    body: set(`${CONSENT}.privacy.latestVersionUri`, ""),
  }),
  inBody("privacy version as a number", "uri", `${CONSENT}.privacy.latestVersionUri`, "version 3"),
  inBody("terms as a path", "uri", `${CONSENT}.tnc.latestVersionUri`, "/terms/5"),
  inBody("no compliance settings", "required", CONSENT, undefined),
  inReceipt("no receipt", "conditional", RECEIPT, undefined),
  byCard("no card", "request.encryptedCard.conditional", { body: set("encryptedCard", undefined) }),
  byCard("four segments", "request.encryptedCard.five-segments", {
    sealed: (sealed) => sealed.split(".").slice(0, 4).join("."),
  }),
  byCard("a number in place of a card", "request.encryptedCard.is-encrypted-card", {
    card: () => ({ pan: "5555341244441115" }),
  }),
  byCard("text in place of a card", "request.encryptedCard.is-encrypted-card", {
    card: () => "5555341244441115;09/31",
  }),
  byCard("the key of somebody else", "request.encryptedCard.is-encrypted-card", { key: otherKey }),
  byCard("a number as encrypted card", "request.encryptedCard.type", { body: set("encryptedCard", 5) }),
  inBody("a name as identity", "matches-type", `${IDENTITY}.identityValue`, "robin.meadow"),
  inBody("an unknown identity type", "enum", `${IDENTITY}.identityType`, "PHONE"),
  inBody("a long identity", "max-length", `${IDENTITY}.identityValue`, `${"r".repeat(250)}@example.com`),
  inBody("letters as calling code", "calling-code", `${PHONE}.countryCode`, "GB"),
  inBody("an unassigned calling code", "calling-code", `${PHONE}.countryCode`, "999"),
  inBody("a calling code with a plus sign", "digits", `${PHONE}.countryCode`, "+44"),
  inBody("an international prefix", "without-country-code", `${PHONE}.phoneNumber`, "00447911123456"),
  inBody("the country code twice", "without-country-code", `${PHONE}.phoneNumber`, "447911123456"),
  inBody("hyphens in the number", "digits", `${PHONE}.phoneNumber`, "7911-123456"),
  inBody("a long first name", "max-length", "consumer.firstName", "R".repeat(31)),
  inBody("a long last name", "max-length", "consumer.lastName", "M".repeat(31)),
  inBody("no last name", "required", "consumer.lastName", undefined),
  inBody("a country of three letters", "format", "consumer.countryCode", "GBR"),
  inBody("a language as a word", "format", "consumer.languageCode", "English"),
  inBody("a malformed client id", "pattern", "srcClientId", "client-1"),
  inBody("a malformed correlation id", "pattern", "srcCorrelationId", "12345"),
  inBody("no service id", "required", "serviceId", undefined),
  inBody("a service id with a space", "pattern", "serviceId", "PROGRAM 9"),
  inBody("an unknown card source", "enum", "cardSource", "BANK"),
  inReceipt("a long receipt", "max-length", `${RECEIPT}.enrolmentReferenceId`, "r".repeat(257)),
  inReceipt("an unknown kind of receipt", "enum", `${RECEIPT}.enrolmentReferenceType`, "RECEIPT"),
  inCard("a wrong check digit", "iso-7812", "primaryAccountNumber", "5555341244441116"),
  inCard("an account number with spaces", "iso-7812", "primaryAccountNumber", "5555 3412 4444 1115"),
  inCard("a short account number", "min-length", "primaryAccountNumber", "555534124444"),
  inCard("a month without a zero", "format", "panExpirationMonth", "9"),
  inCard("month 13", "format", "panExpirationMonth", "13"),
  inCard("a year of two digits", "format", "panExpirationYear", "31"),
  inCard("a security code of two digits", "min-length", "cardSecurityCode", "12"),
  client("a browser", "call.server-to-server", {
    request: (sending) =>
      header("sec-fetch-site", "cross-site")(header("user-agent", "Mozilla/5.0 (X11)")(sending)),
  }),
  inHeader("no client key", "header.x-openapi-clientid.string", KEY, undefined),
  inHeader("an empty client key", "header.x-openapi-clientid.string", KEY, ""),
  client("no JSON", "request.body.required", {
    request: (sending) => ({ ...sending, body: "srcClientId=1&serviceId=2" }),
  }),
  inUrl("an unknown path", "caller.documented-operations", (url) => url.replace(/cards$/, "card")),
  client("an unknown method", "caller.documented-operations", {
    request: (sending) => ({ ...sending, method: "PUT" }),
  }),
  inUrl("the key in the URL", SHOWN, (url, headers) => `${url}?apiKey=${headers[KEY]}`),
  client("a quick repetition after 429", "caller.retry-after-kept", hasty(0.1), ["rate-limited"]),
  client("a quick repetition after 503", "caller.retry-after-kept", hasty(0.2), ["unavailable"]),
  client(
    "a quick repetition of a card that is encrypted again",
    "caller.retry-after-kept",
    { ...hasty(0.1), ways: ["card"], renewsBody: true },
    ["rate-limited"],
  ),
  inHeader("an undefined client key", "header.x-openapi-clientid.string", KEY, "undefined"),
  client(
    "maskedConsumer demanded",
    "response.maskedConsumer.optional",
    { accepts: (json) => "maskedConsumer" in json },
    ["no-masked-consumer"],
  ),
  client(
    "digitalCardData demanded",
    "response.digitalCardData.all-optional",
    {
      accepts: ({ maskedCard }) =>
        Object.keys(((maskedCard ?? {}) as { digitalCardData?: Body }).digitalCardData ?? {}).length > 0,
    },
    ["empty-digital-card-data"],
  ),
  client("unknown fields refused", "caller.additions-accepted", STRICT, ["additions"]),
  client("one correlation id for all enrollments", "caller.correlation-id-of-one-request", ONE_ID),
  client("one correlation id for all receipts", "caller.correlation-id-of-one-request", {
    ...ONE_ID,
    ways: ["receipt", "receipt", "receipt"],
  }),
  beside("the plain card beside the encrypted one", "card", { primaryAccountNumber: PAN }),
  beside("the card number beside the encrypted card", "cardNumber", PAN),
  beside("the card number in groups", "consumer.pan", "5555 3412 4444 1115"),
  beside("the card number under another name", "paymentReference", PAN),
  beside("the security code beside the encrypted card", "cvv", "123"),
  beside("a password of the consumer", "consumer.password", "correct horse"),
  inHeader("the card number in a header", "caller.secrets-in-their-places", "x-card-number", PAN),
  inHeader("a social security number in a header", "caller.secrets-in-their-places", "x-ssn", "999601111"),
  inHeader("the key as a JSON object", "header.x-openapi-clientid.string", KEY, '{"apiKey":"a1b2c3"}'),
  inHeader("the key in quotes", "header.x-openapi-clientid.string", KEY, '"a1b2c3d4"'),
  inHeader("a key that nobody knows", "caller.requests-accepted", KEY, "key-of-nobody"),
  inUrl("the card number in the URL", SHOWN, (url) => `${url}?pan=${PAN}`),
  inUrl("the card number in the URL under another name", SHOWN, (url) => `${url}?reference=${PAN}`),
  client("a service of nobody, again and again", "caller.requests-accepted", {
    body: set("serviceId", "PROGRAM-OF-NOBODY"),
  }),
  {
    name: "a refused body, again and again",
    requirement: "caller.requests-accepted",
    async run(setting) {
      const habits = { ...RIGHT, body: set("consumer.countryCode", "GBR") };
      for (let time = 0; time < 3; time += 1) await runClient(setting, { ...habits, ways: ["receipt"] });
    },
  },
];
