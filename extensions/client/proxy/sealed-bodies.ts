/** Opens the bodies that a gateway wants encrypted: gives clients a key of the proxy, and encrypts again for the target. */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import type { Contract, JsonSchema, Service } from "../../../helpers/contract/contract.ts";
import { defined, isObject } from "../../../helpers/contract/json.ts";
import { JSON_TYPE } from "../../../helpers/contract/media-type.ts";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { flatten } from "../../../helpers/contract/schemas/flatten.ts";
import { type ReceivedResponse, statusOf } from "../../../helpers/exchange/exchange.ts";
import { jsonOf } from "../../../helpers/exchange/json-of.ts";
import type { SealedPlaces, Sealing } from "../../../helpers/gateway/gateway.ts";
import { opened, placesOf, sealed } from "../../../helpers/gateway/sealing.ts";
import type { Gateways } from "../../../helpers/gateway/through-gateway.ts";
import { gatewaySetting } from "../../../helpers/target/names.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { certified, openKeyFolder } from "../../../mocks/engine/gateway/keys.ts";

export type SealedBodies = NonNullable<ReturnType<typeof sealedBodiesOf>>;

/** @returns `undefined` if no gateway wants encrypted bodies */
export const sealedBodiesOf = (gateways: Gateways) => {
  const sealings = new Map(
    Object.entries(gateways).flatMap(([service, { sealing }]) => (sealing ? [[service, sealing]] : [])),
  );
  if (sealings.size === 0) return undefined;
  const { publicPem, privatePem, certificatePem } = certified({ name: "Assay encryption" });
  const own = createPrivateKey(privatePem);
  const folder = openKeyFolder();
  process.once("exit", folder.remove);
  const key = folder.write("body-encryption-key.pem", publicPem);
  const certificate = folder.write("body-encryption.pem", certificatePem);
  const wanting = [...sealings].filter(([, { publicKey }]) => publicKey !== undefined);
  return {
    /** The settings with the key of the proxy, for clients. */
    environment: Object.fromEntries(
      wanting.flatMap(([service]) => [
        [gatewaySetting(service, "BODY_ENCRYPTION_KEY"), key],
        [gatewaySetting(service, "BODY_ENCRYPTION_CERTIFICATE"), certificate],
      ]),
    ),
    /** Whether the gateway wants these bodies of an operation encrypted. */
    wants(service: Service, operationId: string, part: keyof SealedPlaces): boolean {
      const sealing = sealings.get(service);
      return sealing !== undefined && Object.keys(placesOf(sealing, operationId)[part] ?? {}).length > 0;
    },
    /**
     * Changes the plain body of a request.
     * @returns the body for the target, and the plain one if the client encrypted it for the proxy
     */
    async reseal(
      service: Service,
      operationId: string,
      body: string,
      change: (plain: string) => Promise<string>,
    ): Promise<{ readonly body: string; readonly plain?: string }> {
      const sealing = sealings.get(service);
      const sent = sealing && (await openedIfPossible(requestsAsResponses(sealing, own), operationId, body));
      if (sealing === undefined || sent === undefined) return { body: await change(body) };
      const bytes = await sealed(sealing, operationId, await change(sent));
      return { body: bytes.toString(), plain: sent };
    },
    /** Returns the plain body of an answer. The client sees as well if it can't be decrypted, so it stays as it is then. */
    async open(service: Service, operationId: string, body: string): Promise<string> {
      const sealing = sealings.get(service);
      return (sealing && (await openedIfPossible(sealing, operationId, body))) ?? body;
    },
    /**
     * Encrypts the plain body of an answer for the client, if answers of the operation are encrypted.
     * @param received an encrypted body of the target, whose algorithms and key id the new one takes
     */
    async seal(service: Service, operationId: string, body: string, received?: string): Promise<string> {
      const sealing = sealings.get(service);
      if (sealing?.privateKey === undefined) return body;
      const asRequests = answersAsRequests(sealing, sealing.privateKey, operationId, received);
      return (await sealed(asRequests, operationId, body)).toString();
    },
  };
};

/** Returns the plain body; `undefined` if it is not encrypted, or for another key, which only the target has. */
const openedIfPossible = async (
  sealing: Sealing,
  operationId: string,
  body: string,
): Promise<string | undefined> => {
  const bytes = Buffer.from(body);
  const received: ReceivedResponse = { status: 200, headers: {}, body: bytes, ...jsonOf(bytes) };
  const plain = await opened(sealing, operationId, received).catch(() => received);
  return plain === received ? undefined : plain.body.toString("utf8");
};

/** Returns the settings with which the proxy decrypts requests, as a client decrypts responses. */
const requestsAsResponses = (sealing: Sealing, privateKey: Sealing["privateKey"]): Sealing => ({
  ...sealing,
  ...(privateKey && { privateKey }),
  operations: Object.fromEntries(
    Object.entries(sealing.operations).map(([operationId, { request = {} }]): [string, SealedPlaces] => [
      operationId,
      { response: Object.fromEntries(Object.entries(request).map(([plain, token]) => [token, plain])) },
    ]),
  ),
});

/** Returns the settings with which the proxy encrypts answers, as a client encrypts requests. */
const answersAsRequests = (
  sealing: Sealing,
  privateKey: KeyObject,
  operationId: string,
  received = "",
): Sealing => {
  const { response = {} } = placesOf(sealing, operationId);
  const { json } = jsonOf(Buffer.from(received));
  const token = Object.keys(response).map((pointer) => atPointer(json, pointer))[0];
  const { alg, enc, [sealing.keyIdHeader]: keyId } = headerOf(token);
  const { keyId: _, ...others } = sealing;
  return {
    ...others,
    ...defined({ alg, enc, keyId: keyId as string | undefined }),
    publicKey: createPublicKey(privateKey),
    operations: {
      "*": { request: Object.fromEntries(Object.entries(response).map(([from, to]) => [to, from])) },
    },
  };
};

/** Returns the header of a compact JWE; nothing for any other value. */
const headerOf = (token: unknown) => {
  try {
    return decodeProtectedHeader(String(token));
  } catch {
    return {};
  }
};

/** Returns a function that tells once for each service that its bodies can't be read. */
export const unreadTeller = (
  contracts: readonly Contract[],
  tell: (message: string) => void,
): ((seen: Seen) => void) => {
  const left = new Map(contracts.map((contract) => [contract.service, contract]));
  return (seen) => {
    const { schemas } = left.get(seen.service) ?? {};
    if (schemas === undefined || !isLeftSealed(seen, schemas)) return;
    left.delete(seen.service);
    tell(
      `Bodies of ${seen.service} are encrypted, and no setting opens them: they are recorded and judged as they are, and no sandbox can play them. Set ${gatewaySetting(seen.service, "BODY_ENCRYPTION")} and the keys that it names (docs/server.md).`,
    );
  };
};

/** Whether the request or the answer is nothing but a compact JWE (RFC 7516), or an object around one, as gateways send. */
const isLeftSealed = ({ operation, exchange, body, answer }: Seen, schemas: Contract["schemas"]): boolean => {
  const response = operation?.responses[statusOf(exchange) ?? 0];
  return (
    isSealed(answer, response?.content[JSON_TYPE], schemas) ||
    isSealed(body, operation?.requestBody?.content[JSON_TYPE], schemas) ||
    [exchange.request.body, exchange.response?.body.toString("latin1", 0, LONGEST)].some(isJwe)
  );
};

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
  /^eyJ[\w-]+\.[\w/+-]*(\.[\w/+-]+){3}$/.test(value) &&
  headerOf(value).enc !== undefined;
