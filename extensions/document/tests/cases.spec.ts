/** Small documents that are hard to read, each with a right server that can be made wrong: `../shared/cases`. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { freePort, ROOT } from "../../../tests/self/support/command.ts";
import { isInSample, LONG, PROVIDER } from "../../../tests/self/support/lanes.ts";
import { certifyDocument, FREE, type Told } from "./support/certified-document.ts";

const CASES = join(ROOT, "../shared/cases");

const names = existsSync(CASES)
  ? readdirSync(CASES).filter((name) => existsSync(join(CASES, name, "server.mjs")))
  : [];

/** Servers that are right in another way. */
const RIGHT = ["", "strict"];

/** What right servers violate all the same: a list of one text passes their regular expression for a text. */
const VIOLATED: Record<string, string> = { dependencies: "putOrder", "version-parameter": "postLockers" };

/** What only the user of a server knows. */
const GIVEN: Record<string, string[]> = {
  "version-parameter": ["--key=token=T0ken-9", "--value=api-version=2024-06-01", "--value=site=HAM-1"],
};

const textOf = (name: string, file: string): string => {
  const path = join(CASES, name, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** Certifies the server of a case with one mistake. @param path a wrong path before those of the document */
const certifyCase = async (name: string, mistake: string, path = ""): Promise<Told> => {
  const port = await freePort();
  const server = spawn(process.execPath, [join(CASES, name, "server.mjs")], {
    env: { ...process.env, PORT: String(port), WRONG: mistake },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}${textOf(name, "base").trim()}`;
  await expect(async () => void (await fetch(url))).toPass();
  const prefix = name.toUpperCase().replaceAll("-", "_");
  const environment: Record<string, string> = { ...FREE };
  for (const [, key, value = ""] of textOf(name, "env").matchAll(/^@?(\w+)=(.*)$/gm))
    environment[`${prefix}_${key}`] = value;
  try {
    return await certifyDocument(join(CASES, name, "openapi.yaml"), url + path, GIVEN[name], environment);
  } finally {
    server.kill();
  }
};

const servers = names.flatMap((name) =>
  [...new Set(["", ...textOf(name, "wrongs").split(/[\s,]+/)])].map((mistake) => ({ name, mistake })),
);
for (const [index, { name, mistake }] of servers.entries()) {
  const isRight = RIGHT.includes(mistake);
  const known = VIOLATED[name] === undefined ? [] : [`failed ${name}.${VIOLATED[name]}.request.body`];
  const lanes = isInSample(index, 5) ? PROVIDER : { tag: [PROVIDER.tag, LONG.tag] };
  test(
    `the server of ${name} ${mistake || "itself"} is ${isRight ? "acquitted" : "found"}`,
    lanes,
    async () => {
      const { certificate, deviating } = await certifyCase(name, mistake);
      const found = deviating.filter((one) => !one.startsWith("advisory"));
      expect(found).toEqual(expect.arrayContaining(known));
      expect(found.length > known.length).toBe(!isRight);
      expect(certificate.summary.passed).toBeGreaterThan(0);
    },
  );
}

test(
  "a run with a wrong path stops before its trials, although the server may not know the made identifiers",
  PROVIDER,
  async () => {
    const { certificate } = await certifyCase("unique-names", "", "/nowhere");
    expect([certificate.outcome, certificate.summary]).toEqual([
      "incomplete",
      expect.objectContaining({ failed: 0, passed: 0 }),
    ]);
  },
);
