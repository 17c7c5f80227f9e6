/** Clients whose gateways use keys that nobody knows, each instead of one configured key. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { Gateway } from "../../helpers/gateway/gateway.ts";
import type { Gateways } from "../../helpers/gateway/through-gateway.ts";
import type { OtherKey } from "./findings.ts";

/** Returns the gateways with another key, where they have such a key. */
export const withOtherKey = (gateways: Gateways, key: OtherKey): Gateways =>
  Object.fromEntries(
    Object.entries(gateways).map(([service, gateway]) => [service, exchanged(gateway, key)]),
  );

const exchanged = (gateway: Gateway, key: OtherKey): Gateway => {
  const { signing, sealing } = gateway;
  if (key === "encryption key") {
    return { ...gateway, ...(sealing && { sealing: { ...sealing, publicKey: unknownKeys().publicKey } }) };
  }
  if (signing === undefined) return gateway;
  return key === "consumer key"
    ? { ...gateway, signing: { ...signing, consumerKey: randomUUID() } }
    : { ...gateway, signing: { ...signing, privateKey: unknownKeys().privateKey } };
};

const unknownKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
