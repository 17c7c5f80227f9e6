/** A gateway in front of the sandbox, which asks for signatures, client certificates or encrypted bodies. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Certified, certified, container, fingerprintsOf, openKeyFolder, rsaKeys } from "./keys.ts";
import { algorithmsOf, seal, unsealer } from "./seal.ts";
import { type Dialect, signatureVerifier } from "./verify-signature.ts";

export const DEMANDS = ["signature", "signature=rfc", "signature=single", "mtls", "encryption"] as const;
/**
 * `encryption=encryptedValue:x5t#S256` names the field of encrypted bodies, and the JWE header with the id of the key. With
 * a third name, `strict`, only what RFC 7518 allows is accepted.
 */
export type Demand = (typeof DEMANDS)[number] | `encryption=${string}`;

export const isDemand = (text: string): text is Demand =>
  DEMANDS.some((one) => one === text) || /^encryption=[^:/~"]+(:[^:"]+(:strict)?)?$/.test(text);

/** Settings of a target by the end of their names: `SIGNING_KEY`. */
export type GatewaySettings = Readonly<Record<string, string>>;

export interface Gateway {
  /** The options of an HTTPS server, if the gateway asks for client certificates. */
  readonly https?: object;
  /** @param before the server behind the gateway */
  guard(
    app: FastifyInstance,
    before: {
      /** Returns scheme, host and port, once the server listens. */
      origin(): string;
      /** Returns the header Authorization by which the service at this path knows the signer, if it asks for one. */
      authorizationAt(path: string): string | undefined;
    },
  ): void;
  /** The settings with which the gateway accepts requests. */
  readonly settings: GatewaySettings;
  /** Settings that it refuses: each set replaces some of `settings`. */
  readonly refused: Readonly<Record<"wrong" | "expired", GatewaySettings>>;
  close(): void;
}

/** What one demand adds to the gateway. */
interface Part {
  readonly https?: object;
  readonly guard?: Gateway["guard"];
  readonly settings: GatewaySettings;
  readonly wrong: GatewaySettings;
  readonly expired: GatewaySettings;
}

type Write = (name: string, content: string | Buffer) => string;

export const openGateway = (demands: readonly Demand[]): Gateway => {
  const folder = openKeyFolder();
  const make = { signature: signaturePart, mtls: certificatePart, encryption: encryptionPart };
  const asked = demands.map((demand) => demand.split("=") as [keyof typeof make, Dialect?]);
  // A signature holds for the bytes that were sent, so it is verified before they are decrypted.
  const parts = Object.entries(make).flatMap(([name, part]) =>
    asked.flatMap(([one, chosen]) => (one === name ? [part(folder.write, chosen)] : [])),
  );
  const joined = (key: "settings" | "wrong" | "expired"): GatewaySettings =>
    Object.assign({}, ...parts.map((part) => part[key]));
  const [{ https } = {}] = parts.filter((part) => part.https !== undefined);
  return {
    ...(https && { https }),
    guard(app, before) {
      for (const { guard } of parts) guard?.(app, before);
    },
    settings: joined("settings"),
    refused: { wrong: joined("wrong"), expired: joined("expired") },
    close: folder.remove,
  };
};

const PASSWORD = "test-password";

/** @param only the dialect that is accepted */
const signaturePart = (write: Write, only?: Dialect): Part => {
  const authority = certified({ name: "Sandbox signing authority" });
  const right = certified({ name: "signer", issuer: authority });
  const consumers = new Map([
    ["consumer-right", { publicPem: right.publicPem }],
    ["consumer-expired", { publicPem: right.publicPem, hasExpired: true as const }],
  ]);
  const examined = signatureVerifier(consumers, only);
  return {
    guard(app, { origin, authorizationAt }) {
      app.addHook("preValidation", async (request, reply) => {
        const result = examined({
          method: request.method,
          origin: origin(),
          target: request.originalUrl,
          authorization: request.headers.authorization,
          body: bodyOf(request),
        });
        if (typeof result === "string") return refuse(reply, 401, result);
        reply.header("signature-seen", result.seen);
        // The signature took the place of the credentials, which the gateway adds for the service.
        request.headers.authorization = authorizationAt(request.originalUrl);
      });
    },
    settings: {
      CONSUMER_KEY: "consumer-right",
      SIGNING_KEY: write("signing-key.p12", container(right, PASSWORD)),
      SIGNING_KEY_PASSWORD: PASSWORD,
      ...(only !== undefined && { SIGNATURE_ENCODING: only }),
    },
    wrong: { SIGNING_KEY: write("wrong-signing-key.pem", rsaKeys().privatePem) },
    expired: { CONSUMER_KEY: "consumer-expired" },
  };
};

const certificatePart = (write: Write): Part => {
  const authority = certified({ name: "Sandbox authority" });
  const server = certified({ name: "127.0.0.1", issuer: authority, hosts: ["127.0.0.1"] });
  const client = (file: string, options: Parameters<typeof certified>[0]): GatewaySettings => {
    const { certificatePem, privatePem }: Certified = certified(options);
    return {
      CLIENT_CERTIFICATE: write(`${file}.pem`, certificatePem),
      CLIENT_KEY: write(`${file}-key.pem`, privatePem),
    };
  };
  const stranger = certified({ name: "Another authority" });
  return {
    https: {
      cert: server.certificatePem,
      key: server.privatePem,
      ca: authority.certificatePem,
      requestCert: true,
      rejectUnauthorized: true,
    },
    settings: {
      CA: write("authority.pem", authority.certificatePem),
      ...client("client", { name: "client", issuer: authority }),
    },
    wrong: client("wrong-client", { name: "client", issuer: stranger }),
    expired: client("expired-client", { name: "client", issuer: authority, hasExpired: true }),
  };
};

const FIELD = "encryptedData";
const KEY_ID_HEADER = "kid";

/** @param names the field of encrypted bodies, and the JWE header with the id of the key */
const encryptionPart = (write: Write, names = FIELD): Part => {
  const [field = FIELD, header = KEY_ID_HEADER, form] = names.split(":");
  const [requests, responses] = [certified({ name: "Sandbox encryption" }), rsaKeys()];
  const stranger = certified({ name: "Another encryption" });
  const keyIds = ["current", ...fingerprintsOf(requests)];
  const unseal = unsealer({
    ...{ field, header, keyIds, expiredKeyIds: ["expired"], key: requests.privatePem },
    strict: form === "strict",
  });
  return {
    guard(app) {
      app.addHook("preValidation", async (request, reply) => {
        const body = bodyOf(request);
        if (body.length === 0) return;
        const opened = await unseal(body);
        if (typeof opened === "string") return refuse(reply, 400, opened);
        const { alg, enc } = algorithmsOf(body, field);
        USED.set(request, alg);
        reply.header("encryption-seen", [alg, enc, opened.difference].filter(Boolean).join(", "));
        request.body = opened.plain;
      });
      app.addHook("onSend", (request, reply, payload, done) => {
        const isJson = String(reply.getHeader("content-type") ?? "").includes("json");
        const isBody = typeof payload === "string" || Buffer.isBuffer(payload);
        if (!isJson || !isBody || REFUSED.has(request)) return done(null, payload);
        reply.removeHeader("content-length");
        const sealed = seal(Buffer.from(payload), responses.publicPem, USED.get(request));
        done(null, JSON.stringify({ [field]: sealed }));
      });
    },
    settings: {
      BODY_ENCRYPTION: write(
        "encryption.yaml",
        `"*": { request: { "": "/${field}" }, response: { "/${field}": "" } }\n`,
      ),
      BODY_ENCRYPTION_KEY: write("encryption-key.pem", requests.publicPem),
      BODY_ENCRYPTION_CERTIFICATE: write("encryption-certificate.pem", requests.certificatePem),
      BODY_ENCRYPTION_KEY_ID: "current",
      ...(header !== KEY_ID_HEADER && { BODY_ENCRYPTION_KEY_ID_HEADER: header }),
      BODY_DECRYPTION_KEY: write("decryption-key.pem", responses.privatePem),
    },
    wrong: {
      BODY_ENCRYPTION_KEY: write("wrong-encryption-key.pem", stranger.publicPem),
      BODY_ENCRYPTION_CERTIFICATE: write("wrong-encryption-certificate.pem", stranger.certificatePem),
    },
    expired: { BODY_ENCRYPTION_KEY_ID: "expired" },
  };
};

/** The JWE algorithms with which the requests were encrypted. The answers use them too. */
const USED = new WeakMap<FastifyRequest, string>();

const bodyOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** The requests that the gateway itself answers; it does not encrypt these answers. */
const REFUSED = new WeakSet<FastifyRequest>();

const refuse = (reply: FastifyReply, status: number, description: string): FastifyReply => {
  REFUSED.add(reply.request);
  const error = { Source: "gateway", ReasonCode: "REFUSED", Description: description, Recoverable: false };
  return reply
    .code(status)
    .type("application/json")
    .send({ Errors: { Error: [error] } });
};
