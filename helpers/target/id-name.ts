/** Names the identifiers of situations. */
import type { Service } from "../contract/contract.ts";
import { settingPrefix } from "../contract/services.ts";

/** Returns the name of an identifier without its service: `partner` for `PARCELS_PARTNER_ID`. */
export const idName = (service: Service, variable: string): string =>
  variable
    .toLowerCase()
    .replace(settingPrefix(service).toLowerCase(), "")
    .replaceAll("_", "-")
    .replace(/-id$/, "");
