/** Clients whose gateways use keys that nobody knows, each instead of one configured key. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { ENCODINGS, type Gateway, METHODS, type SignatureDialect } from "../../helpers/gateway/gateway.ts";
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
  const dialect = DIALECTS.find((one) => nameOf(one) === key);
  if (dialect !== undefined) return { ...gateway, signing: { ...signing, ...dialect } };
  return key === "consumer key"
    ? { ...gateway, signing: { ...signing, consumerKey: randomUUID() } }
    : { ...gateway, signing: { ...signing, privateKey: unknownKeys().privateKey } };
};

/** The dialects of signatures. */
export const DIALECTS: readonly SignatureDialect[] = ENCODINGS.flatMap((encoding) =>
  METHODS.map((method) => ({ encoding, method })),
);

/** Returns the name under which a dialect is tried. */
export const nameOf = ({ encoding, method }: SignatureDialect): OtherKey => `dialect ${encoding} ${method}`;

/** Returns the names of the dialects in which requests are not signed yet. */
export const namesOfOthers = (signing: SignatureDialect): OtherKey[] =>
  DIALECTS.map(nameOf).filter((name) => name !== nameOf(signing));

const unknownKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
