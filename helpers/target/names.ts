/** The names that configure a target, in a `.env.NAME` file or the environment; the environment wins. */

interface ConfigurationName {
  readonly name: string;
  /** Its value must never be written. */
  readonly secret: boolean;
  /** Its value is sent in a header. */
  readonly header?: true;
  readonly meaning: string;
}

const row = (name: string, meaning: string): ConfigurationName => ({ name, secret: false, meaning });
const secret = (name: string, meaning: string): ConfigurationName => ({ name, secret: true, meaning });
const secretHeader = (name: string, meaning: string): ConfigurationName => ({
  ...secret(name, meaning),
  header: true,
});

export const CONFIGURATION: readonly ConfigurationName[] = [
  row("CARD_ENROLLMENT_BASE_URL", "address of card enrollment, with its path prefix"),
  secretHeader("CARD_ENROLLMENT_API_KEY", "server-to-server key"),
  secretHeader("CARD_ENROLLMENT_UNVALIDATED_API_KEY", "a key whose client identity is not validated"),
  row("CARD_ENROLLMENT_SRC_CLIENT_ID", "a client that the service knows"),
  row("CARD_ENROLLMENT_SERVICE_ID", "a program that the service knows"),
  row(
    "CARD_ENROLLMENT_ENCRYPTION_KEY",
    "public key for encryptedCard: a JWK, or the path of a JWK or PEM file",
  ),
  row("CARD_ENROLLMENT_ENCRYPTION_ALG", "JWE key management algorithm; RSA-OAEP-256 if not set"),
  row("CARD_ENROLLMENT_ENCRYPTION_ENC", "JWE content encryption; A256GCM if not set"),
  row("INSTALLMENTS_BASE_URL", "address of installments"),
  secretHeader(
    "INSTALLMENTS_AUTHORIZATION",
    "value of the header Authorization, where the target asks for one",
  ),
  secretHeader("INSTALLMENTS_UNREGISTERED_AUTHORIZATION", "the same of a partner that is not registered"),
  row("FINANCIAL_DATA_BASE_URL", "address of financial data"),
  secretHeader("FINANCIAL_DATA_APP_KEY", "app key of the partner"),
  row("FINANCIAL_DATA_PARTNER_ID", "partner id"),
  secret("FINANCIAL_DATA_PARTNER_SECRET", "partner secret"),
  row("FINANCIAL_DATA_DISPOSABLE_PARTNER_ID", "a partner that a test may lock or give a new secret"),
  secret("FINANCIAL_DATA_DISPOSABLE_PARTNER_SECRET", "its secret"),
  row("FINANCIAL_DATA_CUSTOMER_ID", "a customer with linked accounts"),
  row("FINANCIAL_DATA_ROUTING_NUMBER", "a routing number that the service knows"),
  row("FINANCIAL_DATA_LOCATION_ID", "a merchant location that the service knows, of the type locationId"),
  row("FINANCIAL_DATA_THIRD_PARTY_PARTNER_ID", "a partner that may be given an access key"),
  row("RECEIVER_PUBLIC_URL", "address at which the target's deliveries reach us"),
  row("RECEIVER_PORT", "port that our receiver listens on"),
  row("ALLOW_DESTRUCTIVE", "true allows trials of calls that delete, or change a secret"),
  row("ALLOW_LOCKING", "true allows locking the disposable partner"),
  row("MAX_BILLABLE_CALLS", "how many billable calls a run may make, with all its shards; 0 if not set"),
  row("MAX_REQUESTS_PER_SECOND", "how fast a run may send, with all its shards; no limit if not set"),
  row("REQUEST_TIMEOUT_SECONDS", "how long to wait for an answer; 30 if not set"),
  row("CARD_ENROLLMENT_CONTRACT", "the provider's OpenAPI document for card enrollment"),
  row("INSTALLMENTS_CONTRACT", "the provider's OpenAPI document for installments"),
  row("FINANCIAL_DATA_CONTRACT", "the provider's OpenAPI document for financial data"),
  row("BINDINGS", "a YAML file: operationId to JSON pointer, for names that the documents leave open"),
];

/** `card-enrollment` -> `CARD_ENROLLMENT_BASE_URL`. */
export const baseUrlName = (service: string): string => `${prefixOf(service)}_BASE_URL`;

/** `card-enrollment` -> `CARD_ENROLLMENT_CONTRACT`. */
export const contractName = (service: string): string => `${prefixOf(service)}_CONTRACT`;

const prefixOf = (service: string): string => service.toUpperCase().replaceAll("-", "_");
