/** HTTPS with an authority of the product's own, and the proxy for clients whose base URLs are fixed. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { ProxyAgent, request } from "undici";
import { loadContract } from "../../../helpers/contract/load.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { openAuthority } from "../../../mocks/engine/gateway/authority.ts";
import { start, temporary } from "../../../tests/self/support/command.ts";
import { closeAll, listen, web } from "../../../tests/self/support/loopback.ts";
import { openRecording, type RecordingOptions } from "../proxy/recording.ts";

test.afterEach(closeAll);

const SERVICE = "installments";
const PATH = "/installments/plans/none";

/** The target and another server, which must not be called. */
const servers = async (isSecure: boolean) => {
  const [authority, asked] = [openAuthority(), [] as http.IncomingMessage[]];
  let strangers = 0;
  const answer: http.RequestListener = (incoming, outgoing) => {
    asked.push(incoming);
    outgoing.writeHead(404, { "content-type": "application/json", link: `<${origin}/installments/next>` });
    outgoing.end(JSON.stringify({ href: `${origin}${PATH}` }));
  };
  const plain = await (isSecure
    ? listen(https.createServer({ ...authority.identityFor(["localhost"]) }, answer))
    : web(answer));
  const origin = isSecure ? plain.replace("http://127.0.0.1", "https://localhost") : plain;
  const stranger = await web((_, outgoing) => {
    strangers += 1;
    outgoing.end();
  });
  return { authority, asked, origin, stranger, strangers: () => strangers };
};

const recordingFor = async (origin: string, values: object, more: Partial<RecordingOptions>) => {
  const target = targetOf("test", { INSTALLMENTS_BASE_URL: `${origin}/installments`, ...values }, false);
  const out = await temporary();
  const recording = await openRecording({
    ...{ target, contracts: [await loadContract(SERVICE)], port: 0, out },
    ...more,
  });
  return { recording, out };
};

for (const isSecure of [true, false]) {
  test(`a client with fixed base URLs reaches ${isSecure ? "an HTTPS" : "an HTTP"} target through a tunnel, and no other server`, async () => {
    const { authority: known, asked, origin, stranger, strangers } = await servers(isSecure);
    const authority = openAuthority();
    const { recording, out } = await recordingFor(origin, { INSTALLMENTS_CA: known.file }, { authority });
    const ca = await readFile(authority.file, "utf8");
    const token = "Basic dmVyeS1zZWNyZXQtMQ==";
    const dispatcher = new ProxyAgent({
      ...{ uri: recording.proxy.origin, token, requestTls: { ca }, proxyTunnel: true },
    });
    const { statusCode, headers, body } = await request(`${origin}${PATH}`, { dispatcher });
    // The client keeps the addresses of the target.
    expect([statusCode, headers.link, await body.json()]).toEqual([
      ...[404, `<${origin}/installments/next>`, { href: `${origin}${PATH}` }],
    ]);
    const outside = await request(`${origin}/elsewhere`, { dispatcher });
    await outside.body.dump();
    expect(asked.map(({ url }) => url)).toEqual([PATH, "/elsewhere"]);
    for (const other of [stranger, "https://api.test", origin.replace(/\d+$/, "1")])
      await expect(request(`${other}/a`, { dispatcher })).rejects.toThrow("403");
    await dispatcher.close();
    await recording.end({});
    expect(strangers()).toBe(0);
    expect(recording.notes()).toEqual([expect.stringContaining("3 requests below no base URL")]);
    const [log = ""] = await readdir(out);
    const lines = (await readFile(join(out, log), "utf8")).split("\n");
    expect(lines.filter((line) => line.includes("operationId"))).toEqual([
      expect.stringContaining(`"url":"${origin}${PATH}"`),
    ]);
  });
}

test("a client that sends its whole URL to the proxy gets the answer of the target, and 403 for others", async () => {
  const { asked, origin, stranger, strangers } = await servers(false);
  const { recording, out } = await recordingFor(origin, {}, {});
  const { port } = new URL(recording.proxy.origin);
  const answerTo = async (path: string) => {
    const headers = { host: new URL(path).host, "proxy-authorization": "Basic dmVyeS1zZWNyZXQtMQ==" };
    const call = http.get({ port, host: "127.0.0.1", path, headers });
    const [response] = (await once(call, "response")) as [http.IncomingMessage];
    return { status: response.statusCode, text: (await response.toArray()).join("") };
  };
  const answer = await answerTo(`${origin}${PATH}?a=b`);
  expect(answer).toEqual({ status: 404, text: JSON.stringify({ href: `${origin}${PATH}` }) });
  expect(asked.map(({ url }) => url)).toEqual([`${PATH}?a=b`]);
  expect(asked[0]?.headers["proxy-authorization"]).toBeUndefined();
  const own = `${recording.proxy.origin}/__assay/clock`;
  expect(await answerTo(own)).toMatchObject({ status: 200 });
  for (const other of [`${stranger}/a`, origin.replace("127.0.0.1", "localhost"), "http://127.0.0.1.test/a"])
    expect(await answerTo(other), other).toMatchObject({
      status: 403,
      text: expect.stringContaining(`serves the target only: ${origin}`),
    });
  await recording.end({});
  expect(strangers()).toBe(0);
  const [log = ""] = await readdir(out);
  expect(await readFile(join(out, log), "utf8")).not.toContain("dmVyeS1zZWNyZXQt");
});

/** Calls a server as a client that trusts only one authority. */
const statusOf = async (url: string, ca: string): Promise<number | undefined> => {
  const call = https.get(url, { ca, agent: false });
  const [response] = (await once(call, "response")) as [http.IncomingMessage];
  return response.resume().statusCode;
};

for (const [command, args] of [
  ["mock", ["--host", "127.0.0.1", "--admin-host", "sandbox.test"]],
  ["proxy", ["--port", "0", "--until", "idle=60s"]],
] as const)
  test(`${command} --https: a client that gets the file of the first line trusts the server`, async () => {
    const out = command === "proxy" ? ["--out", await temporary()] : [];
    const child = start(command, ["--service", SERVICE, "--https", ...args, ...out]);
    const [first] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const { baseUrls, authority } = JSON.parse(first.split("\n")[0] ?? "") as {
      readonly baseUrls: Readonly<Record<string, string>>;
      readonly authority: string;
    };
    const url = `${baseUrls[SERVICE]}/plans/none`;
    const ca = await readFile(authority, "utf8");
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:/);
    expect(await statusOf(url, ca)).toBe(404);
    expect(await statusOf(url.replace("127.0.0.1", "localhost"), ca)).toBe(404);
    await expect(statusOf(url, "")).rejects.toThrow(/certificate/);
    // Private keys stay in memory.
    expect(await readdir(dirname(authority))).toEqual(["authority.pem"]);
    expect(ca).not.toContain("PRIVATE");
    expect((await stat(authority)).mode & 0o777).toBe(0o600);
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(existsSync(dirname(authority))).toBe(false);
  });
