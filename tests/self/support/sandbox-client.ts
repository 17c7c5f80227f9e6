/**
 * A minimal client for the tests of the sandbox. It is separate from the product's client, so that neither hides faults
 * of the other.
 */
import { CompactEncrypt, importJWK } from "jose";
import { request } from "undici";

export type Environment = Readonly<Record<string, string>>;

export const PAN = "5555341244441115";

export interface Sent {
  readonly body?: unknown;
  /** The literal body text, used instead of `body`. */
  readonly raw?: string;
  readonly contentType?: string;
  /** The API key; `null` sends none. */
  readonly key?: string | null;
  readonly method?: "GET" | "POST";
  readonly path?: string;
}

export interface Received {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly json: unknown;
}

export const enroll = async (environment: Environment, sent: Sent): Promise<Received> => {
  const { body, raw, method = "POST", path = "/cards", contentType = "application/json" } = sent;
  const key = sent.key === undefined ? environment.CARD_ENROLLMENT_API_KEY : sent.key;
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return received(
    await request(`${environment.CARD_ENROLLMENT_BASE_URL}${path}`, {
      method,
      headers: {
        ...(typeof key === "string" && { "x-openapi-clientid": key }),
        ...(content !== undefined && { "content-type": contentType }),
      },
      ...(content !== undefined && { body: content }),
    }),
  );
};

export const admin = async (
  port: number,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
): Promise<Received> =>
  received(
    await request(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    }),
  );

/** Returns a valid enrollment by push account receipt. */
export const byReceipt = (environment: Environment) => ({
  srcClientId: environment.CARD_ENROLLMENT_SRC_CLIENT_ID,
  serviceId: environment.CARD_ENROLLMENT_SERVICE_ID,
  consumer: {
    consumerIdentity: { identityType: "EMAIL_ADDRESS", identityValue: "robin.meadow@example.com" },
    mobileNumber: { countryCode: "49", phoneNumber: "15112345678" },
    countryCode: "DE",
    languageCode: "de",
    firstName: "Robin",
    lastName: "Meadow",
  },
  complianceSettings: {
    privacy: { latestVersionUri: "https://example.com/privacy" },
    tnc: { latestVersionUri: "https://example.com/terms" },
  },
  enrolmentReferenceData: {
    enrolmentReferenceId: "receipt-1",
    enrolmentReferenceType: "PUSH_ACCOUNT_RECEIPT",
  },
});

export const encryptCard = async (environment: Environment, card: unknown): Promise<string> => {
  const jwk = JSON.parse(environment.CARD_ENROLLMENT_ENCRYPTION_KEY ?? "");
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(card)))
    .setProtectedHeader({ alg: jwk.alg, enc: "A256GCM" })
    .encrypt(await importJWK(jwk));
};

const received = async (response: Awaited<ReturnType<typeof request>>): Promise<Received> => {
  const text = await response.body.text();
  return {
    status: response.statusCode,
    contentType: String(response.headers["content-type"] ?? ""),
    text,
    json: parsed(text),
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
