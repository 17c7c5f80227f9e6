/** The settings of gateways. Every service has the same ones, after its prefix: `PARCELS_SIGNING_KEY`. */
import { isToken } from "../contract/http-token.ts";
import { type Setting, settingPrefix } from "../contract/services.ts";
import settings from "./gateway-settings.json" with { type: "json" };

export type TargetSetting = Pick<Setting, "name" | "meaning" | "secret" | "header">;

const SETTINGS: Readonly<Record<GatewayKey, Partial<TargetSetting> & Pick<TargetSetting, "meaning">>> =
  settings["of-a-service"];

export type GatewayKey = keyof (typeof settings)["of-a-service"];

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

/** The settings of proxies that all services share, with the names that other tools use. */
export const PROXY_SETTINGS: readonly TargetSetting[] = settings.shared;
