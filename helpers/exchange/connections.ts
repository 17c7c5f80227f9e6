/** Opens connections: directly, or through the proxy and with the certificates that a gateway needs. */
import http from "node:http";
import type { Socket } from "node:net";
import tls from "node:tls";
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from "undici";

/** The settings of a connection. Certificates and keys are PEM texts or PKCS#12 files, as Node's TLS reads them. */
export interface ConnectionSettings {
  /** The address of an HTTP(S) proxy. */
  readonly proxy?: string;
  readonly tls: {
    readonly ca?: string[];
    readonly cert?: string;
    readonly key?: string;
    readonly pfx?: Buffer;
    readonly passphrase?: string;
  };
}

/** Returns a dispatcher with its own connections. */
export const dispatcherFor = (
  options: Agent.Options & { readonly connect: { readonly timeout: number } },
  settings: ConnectionSettings | undefined,
): Dispatcher => {
  const requestTls = { ...options.connect, ...settings?.tls };
  if (settings?.proxy === undefined)
    return new Agent({ ...options, connect: readingPermittedAnswers(requestTls) });
  const { proxy } = settings;
  return new ProxyAgent({
    ...options,
    uri: proxy,
    requestTls,
    proxyTls: proxyTls(settings, options.connect),
  });
};

/** The authority of the gateway may also have signed the certificate of the proxy; our own certificate is not for it. */
const proxyTls = ({ tls: { ca } }: ConnectionSettings, connect: { readonly timeout: number }) => ({
  ...connect,
  ...(ca && { ca }),
});

/** Opens a connection through a proxy, for a request that Node sends itself. @throws the error of the proxy */
export const tunnelTo = async (url: URL, proxy: string, settings: ConnectionSettings): Promise<Socket> => {
  const { hostname, port, username, password } = new URL(proxy);
  const isSecure = url.protocol === "https:";
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const socket = await new Promise<Socket>((done, fail) => {
    http
      .request({
        host: hostname,
        port: port || 80,
        method: "CONNECT",
        path: `${url.hostname}:${url.port || (isSecure ? 443 : 80)}`,
        headers: username === "" ? {} : { "proxy-authorization": `Basic ${credentials.toString("base64")}` },
      })
      .once("connect", ({ statusCode }, tunnel) =>
        statusCode === 200 ? done(tunnel) : fail(new Error(`Proxy response (${statusCode})`)),
      )
      .once("error", fail)
      .end();
  });
  return isSecure ? tls.connect({ ...settings.tls, socket, servername: url.hostname }) : socket;
};

/**
 * Opens connections on which undici reads two answers that HTTP permits and undici takes for broken: an interim answer 100
 * that nobody asked for (RFC 9110, 15.2), and a 304 with the length of the content that it does not have (RFC 9110, 8.6).
 * @param prepare runs with the socket of each connection
 */
export const readingPermittedAnswers = (
  options: buildConnector.BuildOptions,
  prepare: (socket: Socket) => void = () => {},
): buildConnector.connector => {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...opened) => {
      const [error, socket] = opened;
      if (error === null) {
        readPermittedAnswers(socket);
        prepare(socket);
      }
      callback(...opened);
    });
};

/** Makes a 102 of a 100, and zeros of the length of a 304, in what arrives on a connection. It has no pipelining. */
const readPermittedAnswers = (socket: Socket): void => {
  const { read, write } = socket;
  let isStart = false;
  socket.write = (...args: unknown[]): boolean => {
    const [text] = args;
    isStart ||= typeof text === "string" && text.includes(" HTTP/1.1\r\n");
    return write.apply(socket, args as Parameters<Socket["write"]>);
  };
  socket.read = (size) => {
    const bytes: Buffer | null = read.call(socket, size);
    for (let at = 0; isStart && bytes !== null && at < bytes.length; ) {
      const status = bytes.toString("latin1", at + 9, at + 12);
      const end = bytes.indexOf("\r\n\r\n", at);
      const head = bytes.toString("latin1", at, end < 0 ? bytes.length : end);
      if (status === "100") bytes.write("102", at + 9);
      if (status === "304")
        bytes.write(
          head.replace(LENGTH, (line) => line.replaceAll(/\d/g, "0")),
          at,
          "latin1",
        );
      isStart = status.startsWith("1");
      at = end < 0 ? bytes.length : end + 4;
    }
    return bytes;
  };
};

const LENGTH = /^content-length:.*$/im;
