/** The settings of a target, from a `.env.NAME` file and the environment. The environment overrides the file. */
import type { Service } from "../contract/contract.ts";
import { isToken } from "../contract/http-token.ts";
import { type Setting, serviceDescriptors, settingPrefix } from "../contract/services.ts";
import gateways from "./gateway-settings.json" with { type: "json" };

export type TargetSetting = Pick<Setting, "name" | "meaning" | "secret" | "header">;

/** Returns the settings of all services and the common ones. @throws ContractError for an unusable service.yaml */
export const configuration = (): readonly TargetSetting[] => {
  const all = serviceDescriptors();
  names ??= [
    ...all.flatMap(({ service, title, settings }) => [
      row(baseUrlName(service), `address of ${title}, with any path prefix`),
      ...settings,
      ...gatewaySettings(service),
    ]),
    // All services share these settings of proxies, with the names that other tools use.
    ...gateways.shared,
    row("RECEIVER_PUBLIC_URL", "address at which the target's deliveries reach us"),
    row("RECEIVER_PORT", "port that our receiver listens on"),
    row(
      "ALLOW_DESTRUCTIVE",
      "true allows calls that delete, change a secret, or, with --document, change what the run did not create",
    ),
    row("ALLOW_LOCKING", "true allows locking the disposable partner"),
    row(
      "ALLOW_LASTING",
      "how many invalid calls an operation may accept, for each level of rules, if nobody can remove its results; 3 if not set",
    ),
    row("MAX_BILLABLE_CALLS", "how many billable calls a run may make, with all its shards; 0 if not set"),
    row("MAX_REQUESTS_PER_SECOND", "requests per second of a run, with all its shards; 10 if not set"),
    row("REQUEST_TIMEOUT_SECONDS", "how long to wait for an answer; 30 if not set"),
    ...all.map(({ service, title }) =>
      row(contractName(service), `the provider's OpenAPI document for ${title}`),
    ),
    row("BINDINGS", "a YAML file: operationId to JSON pointer, for names that the documents leave open"),
    row("SITUATIONS", "a YAML file: what you know of the target that no client can cause or see"),
  ];
  return names;
};

let names: readonly TargetSetting[] | undefined;

const row = (name: string, meaning: string): TargetSetting => ({
  name,
  meaning,
  secret: false,
  header: false,
});

/** `parcel-pickup` -> `PARCEL_PICKUP_BASE_URL`. */
export const baseUrlName = (service: string): string => `${settingPrefix(service)}BASE_URL`;

/** `parcel-pickup` -> `PARCEL_PICKUP_CONTRACT`. */
export const contractName = (service: string): string => `${settingPrefix(service)}CONTRACT`;

/** Returns the name of an identifier without its service: `partner` for `PARCELS_PARTNER_ID`. */
export const idName = (service: Service, variable: string): string =>
  variable
    .toLowerCase()
    .replace(settingPrefix(service).toLowerCase(), "")
    .replaceAll("_", "-")
    .replace(/-id$/, "");

/** The settings of gateways. Every service has the same ones, after its prefix: `PARCELS_SIGNING_KEY`. */
const SETTINGS: Readonly<Record<GatewayKey, Partial<TargetSetting> & Pick<TargetSetting, "meaning">>> =
  gateways["of-a-service"];

export type GatewayKey = keyof (typeof gateways)["of-a-service"];

export const gatewaySettings = (service: string): TargetSetting[] =>
  (Object.keys(SETTINGS) as GatewayKey[]).map((key) => ({
    ...{ secret: false, header: false, ...SETTINGS[key] },
    name: gatewaySetting(service, key),
  }));

/** `parcel-pickup`, `CA` -> `PARCEL_PICKUP_CA`. */
export const gatewaySetting = (service: string, key: GatewayKey): string => `${settingPrefix(service)}${key}`;

/** Returns the fixed headers of a service by lower-case name; `undefined` if the text is not an object of headers. */
export const fixedHeaders = (text: string): Record<string, string> | undefined => {
  try {
    const rows = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return rows.every(([name, value]) => isToken(name) && typeof value === "string")
      ? Object.fromEntries(rows.map(([name, value]) => [name.toLowerCase(), value as string]))
      : undefined;
  } catch {
    return undefined;
  }
};
