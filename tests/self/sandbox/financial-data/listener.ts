/** A listener on this machine: stores the deliveries and answers as configured. */
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import http, { type RequestListener } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";

export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Listener {
  readonly port: number;
  /** The deliveries in order of arrival, without verifications. */
  readonly deliveries: readonly Arrived[];
  /** Waits for deliveries. @param path only deliveries to this path and below count */
  wait(count: number, path?: string): Promise<readonly Arrived[]>;
  close(): Promise<void>;
}

export interface ListenerOptions {
  readonly secure?: boolean;
  /** The answer to a GET: the received code, an empty body, another text, or 404. */
  readonly proof?: "code" | "nothing" | "another" | "missing";
}

export const openListener = async ({
  secure = false,
  proof = "code",
}: ListenerOptions = {}): Promise<Listener> => {
  const deliveries: Arrived[] = [];
  const waiting = new Set<() => void>();
  const listen: RequestListener = async (request, response) => {
    const { method = "", url: path = "/", headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (method === "GET") {
      const code = new URL(path, "http://listener.test").searchParams.get("verification_code") ?? "";
      const answers = { code, nothing: "", another: "Welcome.", missing: "Nothing here." };
      response.writeHead(proof === "missing" ? 404 : 200).end(answers[proof]);
      return;
    }
    const text = Buffer.concat(chunks).toString("utf8");
    deliveries.push({ method, path, headers, text, json: JSON.parse(text) });
    response.writeHead(204).end();
    for (const look of [...waiting]) look();
  };
  const server = secure ? https.createServer(selfSigned(), listen) : http.createServer(listen);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    deliveries,
    wait: (count, path = "/") =>
      new Promise((resolve) => {
        const look = () => {
          const fitting = deliveries.filter((delivery) => delivery.path.startsWith(path));
          if (fitting.length < count) return;
          waiting.delete(look);
          resolve(fitting);
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

/** Generates a self-signed certificate (RFC 5280, 4.1), so that no key needs to be stored. */
const selfSigned = (): { key: string; cert: string } => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(0x30, ECDSA_WITH_SHA256);
  const commonName = der(0x30, COMMON_NAME, der(0x0c, Buffer.from("receiver.test")));
  const name = der(0x30, der(0x31, commonName));
  const validity = der(0x30, utcTime("200101000000Z"), utcTime("491231235959Z"));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const serial = der(0x02, Buffer.from([1]));
  const body = der(0x30, serial, algorithm, name, validity, name, spki);
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const certificate = der(0x30, body, algorithm, signature).toString("base64");
  const lines = certificate.match(/.{1,64}/g)?.join("\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
};

/** Encodes one value in DER (X.690, 8.1). */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const length =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};

const utcTime = (text: string): Buffer => der(0x17, Buffer.from(text));

const ECDSA_WITH_SHA256 = Buffer.from("06082a8648ce3d040302", "hex");
const COMMON_NAME = Buffer.from("0603550403", "hex");
