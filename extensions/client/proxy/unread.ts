/** Finds bodies that are encrypted for others, although no setting says how to read them. */
import type { Contract, JsonSchema } from "../../../helpers/contract/contract.ts";
import { flatten } from "../../../helpers/contract/flatten.ts";
import { isObject } from "../../../helpers/contract/json.ts";
import { statusOf } from "../../../helpers/exchange/exchange.ts";
import { gatewaySetting } from "../../../helpers/target/names.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { headerOf } from "./sealed-bodies.ts";

/** Returns a function that tells once for each service that its bodies can't be read. */
export const unreadTeller = (
  contracts: readonly Contract[],
  tell: (message: string) => void,
): ((seen: Seen) => void) => {
  const left = new Map(contracts.map((contract) => [contract.service, contract]));
  return (seen) => {
    const { schemas } = left.get(seen.service) ?? {};
    if (schemas === undefined || !isUnread(seen, schemas)) return;
    left.delete(seen.service);
    tell(
      `Bodies of ${seen.service} are encrypted, and no setting opens them: they are recorded and judged as they are, and no sandbox can play them. Set ${gatewaySetting(seen.service, "BODY_ENCRYPTION")} and the keys that it names (docs/server.md).`,
    );
  };
};

/** Whether the request or the answer is nothing but a compact JWE (RFC 7516), or an object around one, as gateways send. */
const isUnread = ({ operation, exchange, body, answer }: Seen, schemas: Contract["schemas"]): boolean => {
  const response = operation?.responses[statusOf(exchange) ?? 0];
  return (
    isSealed(answer, response?.content[JSON_TYPE], schemas) ||
    isSealed(body, operation?.requestBody?.content[JSON_TYPE], schemas) ||
    [exchange.request.body, exchange.response?.body.toString("latin1", 0, LONGEST)].some(isJwe)
  );
};

const JSON_TYPE = "application/json";

/** Only the start of a longer text is read, in characters. */
const LONGEST = 1_048_576;

/** Whether the only field is a JWE, and the contract knows no field of this name. */
const isSealed = (json: unknown, schema: JsonSchema | undefined, schemas: Contract["schemas"]): boolean => {
  const [[name, value] = ["", undefined], ...others] = isObject(json) ? Object.entries(json) : [];
  return (
    others.length === 0 &&
    isJwe(value) &&
    !Object.hasOwn((flatten(schema ?? {}, schemas).properties ?? {}) as object, name)
  );
};

const isJwe = (value: unknown): boolean =>
  typeof value === "string" &&
  /^eyJ[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/.test(value) &&
  headerOf(value).enc !== undefined;
