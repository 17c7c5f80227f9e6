/** A server that repeats every secret in twelve encodings: no file and no output contains one, after any end of a run. */
import { expect, test } from "@playwright/test";
import { services } from "../../../helpers/contract/services.ts";
import { baseUrlName, configuration } from "../../../helpers/target/names.ts";
import { type Artifact, artifactsOf } from "../support/artifacts.ts";
import { type Ended, run, start, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { hostileServer, type Misbehave } from "./hostile-server.ts";
import { JSON_TYPE } from "./mode.ts";

test.afterEach(closeAll);

/** A different canary for each secret setting that is a plain text. */
const SECRETS = Object.fromEntries(
  configuration()
    .filter(({ name, secret }) => secret && !/ENCRYPTION|CERTIFICATE|_FILE$|PEM|JWK/.test(name))
    .map(({ name }, index) => [name, `Zq${index}/Canary+Key-${name.length}_${"wxyz".repeat(3)}${index}Aa1!`]),
);

const each = (text: string, form: (code: number) => string): string =>
  [...text].map((character) => form(character.charCodeAt(0))).join("");

/** The encodings in which the server repeats a secret. */
const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  "base64, offset 0": (secret) => Buffer.from(secret).toString("base64"),
  "base64, offset 1": (secret) => Buffer.from(`x${secret}y`).toString("base64"),
  "base64, offset 2": (secret) => Buffer.from(`xx${secret}yy`).toString("base64"),
  base64url: (secret) => Buffer.from(`{"a":"${secret}"}`).toString("base64url"),
  hexadecimal: (secret) => Buffer.from(secret).toString("hex"),
  percent: encodeURIComponent,
  "percent, each character": (secret) => each(secret, (code) => `%${code.toString(16)}`),
  HTML: (secret) => each(secret, (code) => `&#${code};`),
  JSON: (secret) => each(secret, (code) => `\\u00${code.toString(16).padStart(2, "0")}`),
  "upper case": (secret) => secret.toUpperCase(),
  "over lines": (secret) => secret.replaceAll(/.{9}/g, "$&\n"),
};

/** Returns the part of an encoded text that does not depend on its neighbours. */
const needleOf = (text: string): string => text.slice(4, -8);

const NEEDLES = Object.entries(SECRETS).flatMap(([name, secret]) =>
  Object.entries(ENCODINGS).map(([encoding, encode]) => ({
    name,
    encoding,
    needle: needleOf(encode(secret)),
  })),
);

const leaksIn = (artifacts: readonly Artifact[]): string[] =>
  artifacts.flatMap(({ path, text }) =>
    NEEDLES.filter(
      ({ needle }) => text.includes(needle) || text.includes(JSON.stringify(needle).slice(1, -1)),
    ).map(({ name, encoding }) => `${path}: ${name} in ${encoding}`),
  );

const echoes = (): string =>
  Object.values(SECRETS)
    .flatMap((secret) => Object.values(ENCODINGS).map((encode) => encode(secret)))
    .join(" | ");

/** Repeats all secrets, with different statuses and in different places. */
const echoing: Misbehave = ({ index }) => {
  const said = echoes();
  const status = [200, 400, 401, 500, 201][index % 5] ?? 200;
  const body = {
    message: said,
    token: "a-token-of-the-server",
    details: [{ source: said }],
    [said.slice(0, 400)]: 1,
  };
  return {
    status,
    headers: { ...JSON_TYPE, "x-said": said.replaceAll("\n", " ") },
    body: JSON.stringify(body),
  };
};

const environmentFor = (origin: string): Record<string, string> => ({
  ...SECRETS,
  ...Object.fromEntries(services().map((service) => [baseUrlName(service), `${origin}/base`])),
  ALLOW_DESTRUCTIVE: "true",
  MAX_BILLABLE_CALLS: "1000",
  REQUEST_TIMEOUT_SECONDS: "2",
  MAX_REQUESTS_PER_SECOND: "500",
});

const written = async (out: string, { stdout, stderr }: Ended): Promise<Artifact[]> => [
  ...(await artifactsOf(out)),
  { path: "stdout", text: stdout },
  { path: "stderr", text: stderr },
];

test("the search finds each encoding of each secret", () => {
  const found = leaksIn([{ path: "file", text: echoes() }]);
  expect(Object.keys(SECRETS).length).toBeGreaterThan(3);
  expect(found).toHaveLength(Object.keys(SECRETS).length * Object.keys(ENCODINGS).length);
  expect(leaksIn([{ path: "file", text: "nothing" }])).toEqual([]);
});

for (const service of services()) {
  test(`certify and merge of ${service}: no secret in any encoding`, LONG, async () => {
    const environment = environmentFor(await hostileServer("http://127.0.0.1:9", echoing));
    const [shard, merged] = [await temporary(), await temporary()];
    const args = [
      "--target",
      "canary",
      "--service",
      service,
      "--depth",
      "quick",
      "--shard",
      "1/1",
      "--out",
      shard,
    ];
    const certified = await run("certify", args, environment);
    expect([1, 2, 3]).toContain(certified.code);
    const both = await run("merge", [shard, "--out", merged], {});
    expect(leaksIn([...(await written(shard, certified)), ...(await written(merged, both))])).toEqual([]);
  });
}

for (const signal of ["SIGINT", "SIGKILL"] as const) {
  test(`after ${signal}: no secret in any encoding`, LONG, async () => {
    let child: ReturnType<typeof start> | undefined;
    const origin = await hostileServer("http://127.0.0.1:9", (request, correct) => {
      if (request.index === 40) process.kill(-(child?.pid ?? Number.NaN), signal);
      return echoing(request, correct);
    });
    const out = await temporary();
    const args = ["--target", "canary", "--service", "card-enrollment", "--out", out];
    child = start("certify", args, environmentFor(origin), { leads: true });
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        texts[name] += text;
      });
    await new Promise((resolve) => child?.once("close", resolve));
    expect(leaksIn(await written(out, { code: null, ...texts }))).toEqual([]);
  });
}
