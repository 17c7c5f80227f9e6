/** No command writes a part of a random secret, also if the target repeats it anywhere. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { services } from "../../../helpers/contract/services.ts";
import { configuration } from "../../../helpers/target/names.ts";
import { type Command, outcomeOf, run, start, temporary } from "../support/command.ts";
import { LONG, PROOF } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { environmentFor, openToOthers, written } from "./canary-secrets.ts";
import { hostileServer, type Misbehave } from "./hostile-server.ts";
import {
  encodings,
  FILLERS,
  fields,
  headerForms,
  NOTATIONS,
  otherForms,
  PLACES,
  runsOf,
  type SecretSetting,
  words,
} from "./random-secrets.ts";

test.afterEach(closeAll);

/** The settings of a run with random secrets, and all of the secrets. */
const settingsFor = (
  seed: number,
): { readonly environment: Record<string, string>; readonly secrets: string[] } => {
  const names = configuration()
    .filter(({ name, secret }) => secret && !/PASSWORD|PROXY|CONSUMER/.test(name))
    .map(({ name }) => name);
  const forms = fc.sample(headerForms, { numRuns: names.length, seed });
  const [headers, address] = ["headers", "URL"].map(
    (form) =>
      fc.sample(
        otherForms.filter((one) => one.form === form),
        { numRuns: 1, seed },
      )[0],
  ) as [SecretSetting, SecretSetting];
  const given = [
    ...names.map((name, index) => [name, name.endsWith("_HEADERS") ? headers : forms[index]] as const),
    ["HTTP_PROXY", address] as const,
  ] as (readonly [string, SecretSetting])[];
  return {
    environment: {
      ...Object.fromEntries(given.map(([name, { value }]) => [name, value])),
      NO_PROXY: "127.0.0.1",
    },
    secrets: given.flatMap(([, { secrets }]) => secrets),
  };
};

/** A named value in a notation of a text, and its secret, which only this answer contains. */
const namedIn = (seed: number): readonly { readonly text: string; readonly secret: string }[] =>
  fc.sample(fc.record({ field: fields, secret: words }), { numRuns: 100, seed }).map(({ field, secret }) => ({
    text: `${NOTATIONS[field.notation]?.(field.name, secret)}`,
    secret,
  }));

/** Repeats one secret in each answer, at another place each time; or one of a field that the request or the answer names. */
const repeating = (
  secrets: readonly string[],
  seed: number,
  onArguments: (text: string) => void,
): Misbehave => {
  const drawn = fc.sample(
    fc.record({
      secret: fc.constantFrom(...secrets),
      encode: encodings,
      place: fc.constantFrom(...Object.keys(PLACES)),
      filler: FILLERS.filter((length) => length < 10_000),
      isText: fc.boolean(),
      status: fc.constantFrom(200, 201, 400, 401, 404, 500),
    }),
    { numRuns: 500, seed },
  );
  const named = namedIn(seed);
  return ({ index, body: sent }) => {
    const [, own] = /client_secret=([^&]+)/.exec(sent.toString()) ?? [];
    const other = named[index % (3 * named.length)];
    if (own !== undefined || other !== undefined)
      return {
        status: 400,
        headers: { "content-type": "text/plain", "x-said": encodeURIComponent(own ?? other?.secret ?? "") },
        body: own ?? `${other?.text}\n\n${other?.secret}`,
      };
    const { secret, encode, place, filler, isText, status } = drawn[
      index % drawn.length
    ] as (typeof drawn)[number];
    if (index % 40 === 0) onArguments(argumentsOfAll());
    const said = `${"x ".repeat(filler / 2)}${encode(secret)}`;
    const isName = /^[\w-]+$/.test(secret);
    return {
      status,
      headers: {
        "content-type": isText ? "text/html" : "application/json",
        "x-said": encode(secret).replaceAll("\n", " "),
        ...(isName && { [`x-${secret}`]: "1" }),
      },
      body: isText ? `<p>${said}</p>` : JSON.stringify(PLACES[place]?.(said)),
    };
  };
};

/** Returns the arguments of all processes of this machine, where it shows them. */
const argumentsOfAll = (): string => {
  if (!existsSync("/proc/self/cmdline")) return "";
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .join("\n");
};

/** A client that sends each secret at several places. Its file names the secrets. */
const clientOf = (secrets: readonly string[], named: readonly string[]): string => `
const base = process.env.CARD_ENROLLMENT_BASE_URL;
for (const client_secret of ${JSON.stringify(named)})
  await fetch(base + "/cards", { method: "POST", body: new URLSearchParams({ a: 1, client_secret }) });
for (const said of ${JSON.stringify(secrets)})
  await fetch(base + "/cards?said=" + encodeURIComponent(said), {
    method: "POST",
    headers: { authorization: "Bearer " + said, "x-said": said, "content-type": "application/json" },
    body: JSON.stringify({ token: said, [said]: said, note: "says " + said }),
  });
`;

/** Records what a client sends to the server. */
const recordIn = async (out: string, origin: string, client: string, environment: Record<string, string>) => {
  const url = `card-enrollment=${origin}/base`;
  const child = start("mock", ["--record", url, "--port", "0", "--out", out], environment);
  const ended = outcomeOf(child);
  const [line] = (await once(child.stdout, "data")) as [string];
  const env = { CARD_ENROLLMENT_BASE_URL: JSON.parse(line).baseUrls["card-enrollment"] };
  await once(spawn(process.execPath, [client], { env }), "close");
  child.kill("SIGTERM");
  return ended;
};

for (const [index, service] of services().entries()) {
  test(`no command writes a part of a secret: ${service}`, index === 0 ? PROOF : LONG, async () => {
    test.setTimeout(900_000);
    const seed = 11 + index;
    const { environment: own, secrets } = settingsFor(seed);
    const processes: string[] = [];
    const origin = await hostileServer(
      "http://127.0.0.1:9",
      repeating(secrets, seed, (text) => processes.push(text)),
    );
    const environment = { ...environmentFor(origin), ...own };
    const [out, recorded, judged, listened, resting] = await Promise.all([
      temporary(),
      temporary(),
      temporary(),
      temporary(),
      temporary(),
    ]);
    const named = namedIn(seed).map(({ secret }) => secret);
    const runsIn = runsOf([...secrets, ...named]);
    const target = ["--target", "random", "--service", service];
    const client = join(await temporary(), "client.mjs");
    await writeFile(client, clientOf(secrets, named.slice(0, 10)));
    const rows: readonly (readonly [Command, readonly string[], string])[] = [
      ["doctor", ["--target", "random"], out],
      [
        "certify",
        [...target, "--depth", "quick", "--allure", "--events", join(out, "events"), "--out", out],
        out,
      ],
      ["replay", [join(out, "certificate.json"), "f-1", "--target", "random"], out],
      ["proxy", [...target, "--har", "--out", recorded, "--", process.execPath, client], recorded],
      ["mock", [], resting],
      ["judge", [recorded, "--service", service, "--out", judged], judged],
      ["certify", ["--listener", `${origin}/hook`, "--kind", "webhook", "--out", listened], listened],
    ];
    for (const [command, given, folder] of rows) {
      const [log] = (await readdir(recorded)).filter((name) => name.endsWith(".ndjson"));
      const args = command === "judge" ? [join(recorded, log ?? ""), ...given.slice(1)] : given;
      const ended =
        command === "mock"
          ? await recordIn(folder, origin, client, environment)
          : await run(command, args, environment);
      const artifacts = await written(folder, ended);
      expect(artifacts.flatMap(runsIn), `${command} ${ended.stderr.slice(0, 300)}`).toEqual([]);
      expect(await openToOthers(folder), command).toEqual([]);
    }
    expect(processes.flatMap((text) => runsIn({ path: "arguments", text }))).toEqual([]);
  });
}
