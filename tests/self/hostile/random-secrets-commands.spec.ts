/** No command writes a part of a random secret, also if the target repeats it anywhere. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { services } from "../../../helpers/contract/services.ts";
import { configuration } from "../../../helpers/target/names.ts";
import { type Command, run, temporary } from "../support/command.ts";
import { LONG, PROOF } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { environmentFor, openToOthers, written } from "./canary-secrets.ts";
import { hostileServer, type Misbehave } from "./hostile-server.ts";
import {
  encodings,
  FILLERS,
  headerForms,
  otherForms,
  PLACES,
  runsOf,
  type SecretSetting,
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

/** Repeats one secret in each answer, at another place each time. */
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
  return ({ index }) => {
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
const clientOf = (secrets: readonly string[]): string => `
const base = process.env.CARD_ENROLLMENT_BASE_URL;
for (const said of ${JSON.stringify(secrets)})
  await fetch(base + "/cards?said=" + encodeURIComponent(said), {
    method: "POST",
    headers: { authorization: "Bearer " + said, "x-said": said, "content-type": "application/json" },
    body: JSON.stringify({ token: said, [said]: said, note: "says " + said }),
  });
`;

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
    const [out, recorded, judged, listened] = await Promise.all([
      temporary(),
      temporary(),
      temporary(),
      temporary(),
    ]);
    const runsIn = runsOf(secrets);
    const target = ["--target", "random", "--service", service];
    const client = join(await temporary(), "client.mjs");
    await writeFile(client, clientOf(secrets));
    const rows: readonly (readonly [Command, readonly string[], string])[] = [
      ["doctor", ["--target", "random"], out],
      ["certify", [...target, "--depth", "quick", "--sarif", "--out", out], out],
      ["replay", [join(out, "certificate.json"), "f-1", "--target", "random"], out],
      ["proxy", [...target, "--har", "--out", recorded, "--", process.execPath, client], recorded],
      ["judge", [recorded, "--service", service, "--out", judged], judged],
      ["certify", ["--listener", `${origin}/hook`, "--kind", "webhook", "--out", listened], listened],
    ];
    for (const [command, given, folder] of rows) {
      const [log] = (await readdir(recorded)).filter((name) => name.endsWith(".ndjson"));
      const args = command === "judge" ? [join(recorded, log ?? ""), ...given.slice(1)] : given;
      const ended = await run(command, args, environment);
      const artifacts = await written(folder, ended);
      expect(artifacts.flatMap(runsIn), `${command} ${ended.stderr.slice(0, 300)}`).toEqual([]);
      expect(await openToOthers(folder), command).toEqual([]);
    }
    expect(processes.flatMap((text) => runsIn({ path: "arguments", text }))).toEqual([]);
  });
}
