/** A right client of card enrollment. A wrong one changes one of its habits. */
import { randomUUID } from "node:crypto";
import { CompactEncrypt, importJWK, type JWK } from "jose";
import { COMMON, jsonSending, sendRobustly, sendUntilAccepted } from "../habits.ts";
import type { Answered, Setting } from "../setting.ts";

export type Body = Record<string, unknown>;

/** What a right client does; wrong clients differ in one member. */
export const RIGHT = {
  ...COMMON,
  /** Changes the body of each enrollment. */
  body: (body: Body) => body,
  /** Changes the card before it is encrypted. */
  card: (card: Body): unknown => card,
  /** Changes the encrypted card. */
  sealed: (sealed: string) => sealed,
  /** The configured public key. */
  key: (configured: string) => configured,
  /** Whether each attempt to send a request gets a correlation id and a cipher text of its own. */
  renewsBody: false,
  /** The ways in which it enrolls a card. */
  ways: ["receipt", "card", "receipt", "card"] as readonly ("receipt" | "card")[],
};

export type Habits = typeof RIGHT;

export const runClient = async (setting: Setting, habits: Habits = RIGHT): Promise<void> => {
  for (const [index, way] of habits.ways.entries()) {
    const newBody = async (): Promise<Body> =>
      habits.body({
        ...common(setting, index),
        ...(habits.renewsBody && { srcCorrelationId: randomUUID() }),
        ...(way === "receipt"
          ? {
              enrolmentReferenceData: {
                enrolmentReferenceId: `receipt-${index}`,
                enrolmentReferenceType: "PUSH_ACCOUNT_RECEIPT",
              },
            }
          : { encryptedCard: habits.sealed(await sealedCard(setting, habits)) }),
      });
    const body = await newBody();
    const bodyOf = habits.renewsBody ? newBody : async () => body;
    await sendUntilAccepted(habits, () => enroll(setting, habits, bodyOf));
  }
};

export const common = ({ environment }: Pick<Setting, "environment">, index: number): Body => ({
  srcClientId: environment.CARD_ENROLLMENT_SRC_CLIENT_ID,
  srcCorrelationId: `7a2c9b54-2d5e-4f0b-9c1e-0a1b2c3d4e5${index}`,
  serviceId: environment.CARD_ENROLLMENT_SERVICE_ID,
  consumer: {
    consumerIdentity: { identityType: "EMAIL_ADDRESS", identityValue: `robin.meadow.${index}@example.com` },
    mobileNumber: { countryCode: "44", phoneNumber: "7911123456" },
    countryCode: "GB",
    languageCode: "en",
    firstName: "Robin",
    lastName: "Meadow",
  },
  complianceSettings: {
    privacy: { latestVersionUri: "https://www.example.com/privacy/3" },
    tnc: { latestVersionUri: "https://www.example.com/terms/5" },
  },
  cardSource: "WALLET",
});

const sealedCard = async ({ environment }: Setting, { card, key }: Habits): Promise<string> => {
  const jwk = JSON.parse(key(environment.CARD_ENROLLMENT_ENCRYPTION_KEY ?? "")) as JWK;
  const plain = card({
    primaryAccountNumber: "5555341244441115",
    panExpirationMonth: "09",
    panExpirationYear: "2031",
  });
  return new CompactEncrypt(
    new TextEncoder().encode(typeof plain === "string" ? plain : JSON.stringify(plain)),
  )
    .setProtectedHeader({ alg: "RSA-OAEP-256", enc: "A256GCM" })
    .encrypt(await importJWK(jwk, "RSA-OAEP-256"));
};

const enroll = (
  setting: Setting,
  { request, retrying }: Habits,
  bodyOf: () => Promise<Body>,
): Promise<Answered> => {
  const url = `${setting.environment.CARD_ENROLLMENT_BASE_URL}/cards`;
  const headers = { "x-openapi-clientid": setting.environment.CARD_ENROLLMENT_API_KEY ?? "" };
  const sending = async () => request(jsonSending({ method: "POST", url, headers }, await bodyOf()));
  return sendRobustly(setting, sending, retrying);
};

/** Sets a member at a path of names. JSON has no member that is `undefined`. */
export const set =
  (path: string, value: unknown) =>
  (body: Body): Body =>
    setAt(body, path.split("."), value);

const setAt = (body: Body, [name = "", ...rest]: readonly string[], value: unknown): Body => ({
  ...body,
  [name]: rest.length > 0 ? setAt((body[name] ?? {}) as Body, rest, value) : value,
});
