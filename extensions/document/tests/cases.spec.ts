/** Small documents that are hard to read, each with a right server that can be made wrong: `../shared/cases`. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { certify, freePort, ROOT } from "../../../tests/self/support/command.ts";
import { isInSample, LONG, PROVIDER } from "../../../tests/self/support/lanes.ts";

const CASES = join(ROOT, "../shared/cases");

const names = existsSync(CASES)
  ? readdirSync(CASES).filter((name) => existsSync(join(CASES, name, "server.mjs")))
  : [];

/** Servers that are right in another way. */
const RIGHT = ["", "strict"];

const textOf = (name: string, file: string): string => {
  const path = join(CASES, name, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** Certifies the server of a case with one mistake. @returns the ids of the requirements by their verdicts */
const verdictsOf = async (name: string, mistake: string): Promise<Record<string, string[]>> => {
  const port = await freePort();
  const server = spawn(process.execPath, [join(CASES, name, "server.mjs")], {
    env: { ...process.env, PORT: String(port), WRONG: mistake },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  await expect(async () => void (await fetch(url))).toPass();
  const prefix = name.toUpperCase().replaceAll("-", "_");
  const settings = [...textOf(name, "env").matchAll(/^@?(\w+)=(.*)$/gm)];
  try {
    const { certificate } = await certify(
      ["--document", join(CASES, name, "openapi.yaml"), "--url", url],
      Object.fromEntries(settings.map(([, key, value = ""]) => [`${prefix}_${key}`, value])),
    );
    const all: Record<string, string[]> = { failed: [], blocked: [], passed: [] };
    for (const { id, verdict } of certificate.requirements) all[verdict]?.push(id);
    return all;
  } finally {
    server.kill();
  }
};

const servers = names.flatMap((name) =>
  [...new Set(["", ...textOf(name, "wrongs").split(/[\s,]+/)])].map((mistake) => ({ name, mistake })),
);
for (const [index, { name, mistake }] of servers.entries()) {
  const end = RIGHT.includes(mistake) ? "certified" : "found";
  const lanes = isInSample(index, 5) ? PROVIDER : { tag: [PROVIDER.tag, LONG.tag] };
  test(`the server of ${name} ${mistake || "itself"} is ${end}`, lanes, async () => {
    const { failed = [], blocked = [], passed } = await verdictsOf(name, mistake);
    expect([...failed, ...blocked].length > 0).toBe(end === "found");
    expect(passed).not.toEqual([]);
  });
}
