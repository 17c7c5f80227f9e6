/** Reads the gateways of a target from its settings, with all keys, so that a wrong file is noticed before the run. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { yaml } from "../contract/documents/yaml.ts";
import { serviceDescriptor } from "../contract/services.ts";
import type { ConnectionSettings } from "../exchange/connections.ts";
import { ConfigurationError } from "../target/load-target.ts";
import { fixedHeaders, type GatewayKey, gatewaySetting } from "../target/names.ts";
import type { Target } from "../target/target.ts";
import {
  ENCODINGS,
  type Gateway,
  METHODS,
  type SealedPlaces,
  type Sealing,
  type Signing,
} from "./gateway.ts";
import {
  isPem,
  type KeyFile,
  readCertificate,
  readContainer,
  readKeyFile,
  readPrivateKey,
  readPublicKey,
  requireValid,
} from "./key-files.ts";
import { proxyFor } from "./proxy.ts";
import type { Gateways } from "./through-gateway.ts";

/** @throws ConfigurationError naming the setting */
export const loadGateways = ({ baseUrls, values, embedded }: Target): Gateways =>
  embedded
    ? {}
    : Object.fromEntries(
        Object.entries(baseUrls).flatMap(([service, url]) => {
          const gateway = gatewayOf(readerOf(service, values), url, values);
          return gateway === undefined ? [] : [[service, gateway]];
        }),
      );

/** The settings of one service. */
interface Reader {
  name(key: GatewayKey): string;
  get(key: GatewayKey): string | undefined;
  /** Returns the file that a setting names, with its password. */
  file(key: GatewayKey, passwordKey: GatewayKey): KeyFile | undefined;
  /** Returns the name of a setting in use whose value is sent as the header Authorization. */
  authorization(): string | undefined;
}

const readerOf = (service: string, values: Target["values"]): Reader => ({
  name: (key) => gatewaySetting(service, key),
  get: (key) => values[gatewaySetting(service, key)],
  file(key, passwordKey) {
    const [setting, passwordSetting] = [gatewaySetting(service, key), gatewaySetting(service, passwordKey)];
    const [path, password] = [values[setting], values[passwordSetting]];
    return path === undefined
      ? undefined
      : { setting, path, passwordSetting, ...(password !== undefined && { password }) };
  },
  authorization: () =>
    serviceDescriptor(service).settings.find(
      ({ name, header }) => header && name.endsWith("AUTHORIZATION") && values[name] !== undefined,
    )?.name,
});

const gatewayOf = (read: Reader, url: string, values: Target["values"]): Gateway | undefined => {
  const connection = connectionOf(read, url, values);
  const headers = headersOf(read);
  const signing = signingOf(read);
  const sealing = sealingOf(read);
  const isPlain = connection.proxy === undefined && Object.keys(connection.tls).length === 0;
  if (isPlain && Object.keys(headers).length === 0 && signing === undefined && sealing === undefined)
    return undefined;
  return { connection, headers, ...(signing && { signing }), ...(sealing && { sealing }) };
};

const connectionOf = (read: Reader, url: string, values: Target["values"]): ConnectionSettings => {
  const proxy = proxyFor(url, read.get("PROXY"), read.name("PROXY"), values);
  return { ...(proxy !== undefined && { proxy }), tls: { ...authorityOf(read), ...certificateOf(read) } };
};

const authorityOf = (read: Reader): ConnectionSettings["tls"] => {
  const path = read.get("CA");
  if (path === undefined) return {};
  const content = readKeyFile({ setting: read.name("CA"), path }).toString();
  const found = content.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (found === null) throw new ConfigurationError(`${read.name("CA")}: the file has no PEM certificate.`);
  return { ca: found };
};

const certificateOf = (read: Reader): ConnectionSettings["tls"] => {
  const file = read.file("CLIENT_CERTIFICATE", "CLIENT_KEY_PASSWORD");
  const keySetting = read.name("CLIENT_KEY");
  if (file === undefined) {
    if (read.get("CLIENT_KEY") === undefined) return {};
    throw new ConfigurationError(`${keySetting}: set ${read.name("CLIENT_CERTIFICATE")} as well.`);
  }
  const { setting, password } = file;
  const content = readKeyFile(file);
  if (!isPem(content)) {
    const { certificate } = readContainer(file, content);
    if (certificate) requireValid(setting, certificate);
    return { pfx: content, ...(password !== undefined && { passphrase: password }) };
  }
  const certificate = new X509Certificate(content);
  requireValid(setting, certificate);
  const path = read.get("CLIENT_KEY") ?? file.path;
  const key = readPrivateKey({ ...file, setting: keySetting, path });
  if (!certificate.checkPrivateKey(key))
    throw new ConfigurationError(`${keySetting}: the key does not belong to the certificate in ${setting}.`);
  return { cert: content.toString(), key: key.export({ type: "pkcs8", format: "pem" }).toString() };
};

const headersOf = (read: Reader): Record<string, string> => {
  const text = read.get("HEADERS");
  if (text === undefined) return {};
  const headers = fixedHeaders(text);
  if (headers !== undefined) return headers;
  throw new ConfigurationError(`${read.name("HEADERS")}: write a JSON object, as in {"X-Route": "blue"}.`);
};

const signingOf = (read: Reader): Signing | undefined => {
  const consumerKey = read.get("CONSUMER_KEY");
  const file = read.file("SIGNING_KEY", "SIGNING_KEY_PASSWORD");
  if (consumerKey === undefined && file === undefined) return undefined;
  const setting = read.name("SIGNING_KEY");
  if (consumerKey === undefined)
    throw new ConfigurationError(`${setting}: set ${read.name("CONSUMER_KEY")} as well.`);
  if (file === undefined)
    throw new ConfigurationError(`${read.name("CONSUMER_KEY")}: set ${setting} as well.`);
  const content = readKeyFile(file);
  if (!isPem(content) && content[0] === DER_SEQUENCE) {
    const { certificate } = readContainer(file, content);
    if (certificate) requireValid(setting, certificate);
  }
  const privateKey = readPrivateKey(file);
  const taken = read.authorization();
  if (taken !== undefined) {
    throw new ConfigurationError(
      `${taken}: signatures need the header Authorization. Leave one of both out.`,
    );
  }
  if (privateKey.asymmetricKeyType !== "rsa")
    throw new ConfigurationError(`${setting}: the key is not an RSA key.`);
  const encoding = chosen(read, "SIGNATURE_ENCODING", ENCODINGS);
  return { consumerKey, privateKey, encoding, method: chosen(read, "SIGNATURE_METHOD", METHODS) };
};

/** Returns the value of a setting, or the first one. */
const chosen = <Value extends string>(
  read: Reader,
  key: GatewayKey,
  values: readonly [Value, ...Value[]],
): Value => {
  const given = read.get(key) ?? values[0];
  const found = values.find((one) => one === given);
  if (found !== undefined) return found;
  throw new ConfigurationError(`${read.name(key)}: choose from ${values.join(", ")}, not "${given}".`);
};

const DER_SEQUENCE = 0x30;

const sealingOf = (read: Reader): Sealing | undefined => {
  const path = read.get("BODY_ENCRYPTION");
  const given = publicKeyOf(read);
  const privateFile = read.file("BODY_DECRYPTION_KEY", "BODY_DECRYPTION_KEY_PASSWORD");
  const setting = read.name("BODY_ENCRYPTION");
  if (path === undefined) {
    if (given === undefined && privateFile === undefined) return undefined;
    throw new ConfigurationError(`${setting}: name a YAML file with the parts of bodies that are encrypted.`);
  }
  const operations = sealedPlaces(setting, path);
  const uses = (direction: keyof SealedPlaces): boolean =>
    Object.values(operations).some((places) => places[direction] !== undefined);
  const need = (key: GatewayKey, found: object | undefined, direction: keyof SealedPlaces): void => {
    if (found === undefined && uses(direction)) {
      throw new ConfigurationError(`${read.name(key)}: ${setting} needs this key for each ${direction}.`);
    }
  };
  need("BODY_ENCRYPTION_KEY", given, "request");
  need("BODY_DECRYPTION_KEY", privateFile, "response");
  const keyId = read.get("BODY_ENCRYPTION_KEY_ID") ?? given?.keyId;
  return {
    operations,
    keyIdHeader: read.get("BODY_ENCRYPTION_KEY_ID_HEADER") ?? "kid",
    alg: read.get("BODY_ENCRYPTION_ALG") ?? given?.alg ?? "RSA-OAEP-256",
    enc: read.get("BODY_ENCRYPTION_ENC") ?? "A256GCM",
    ...(given && { publicKey: given.key }),
    ...(keyId !== undefined && { keyId }),
    ...(privateFile && { privateKey: readPrivateKey(privateFile) }),
    strict: read.get("BODY_DECRYPTION_STRICT") === "true",
  };
};

/** Returns the key that encrypts requests, which may be in a certificate. */
const publicKeyOf = (read: Reader): ReturnType<typeof readPublicKey> | undefined => {
  const at = (key: GatewayKey) => {
    const path = read.get(key);
    return path === undefined ? undefined : { setting: read.name(key), path };
  };
  const [bare, certified] = [at("BODY_ENCRYPTION_KEY"), at("BODY_ENCRYPTION_CERTIFICATE")];
  const given = bare && readPublicKey(bare);
  if (certified === undefined) return given;
  const { publicKey } = readCertificate(certified);
  if (given && !given.key.equals(publicKey))
    throw new ConfigurationError(`${bare?.setting}: the key is not the one of ${certified.setting}.`);
  return given ?? { key: publicKey };
};

const sealedPlaces = (setting: string, path: string): Sealing["operations"] => {
  const { parse } = yaml();
  const wrong = (what: string): ConfigurationError =>
    new ConfigurationError(
      `${setting}: ${what}. Write rows of the form  operationId: { request: { "": /encryptedData }, response: { /encryptedData: "" } }  or * for all operations.`,
    );
  let rows: unknown;
  try {
    rows = parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw wrong(`${path} can't be read: ${(error as Error).message.split("\n")[0]}`);
  }
  if (typeof rows !== "object" || rows === null) throw wrong(`${path} has no rows`);
  for (const [operationId, places] of Object.entries(rows)) {
    for (const [direction, pairs] of Object.entries((places ?? {}) as object)) {
      const pointers = Object.entries((pairs ?? {}) as object).flat();
      const isRight = pointers.every((one) => one === "" || (typeof one === "string" && one.startsWith("/")));
      if (!["request", "response"].includes(direction) || !isRight)
        throw wrong(`${path}: ${operationId}: ${direction} is not right`);
    }
  }
  return rows as Sealing["operations"];
};
