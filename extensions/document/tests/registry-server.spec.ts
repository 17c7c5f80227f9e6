/** A server from the registry, which nobody wrote for this product, is certified by the document that it serves. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { comparable, patternOf } from "../../../tests/self/package/documents.ts";
import { isWithoutRegistry, NETWORK } from "../../../tests/self/package/installed.ts";
import { certify, freePort, ROOT, temporary } from "../../../tests/self/support/command.ts";
import { LONG } from "../../../tests/self/support/lanes.ts";

const SERVER = fileURLToPath(new URL("./documents/registry-server.cjs", import.meta.url));

/** The packages of the server. It is installed for the test only, because it needs 285 packages. */
const PACKAGES = ["@mocks-server/core@4.0.2", "@mocks-server/plugin-admin-api@4.0.1"];

/** Installs the server in a folder of its own. @returns the path of its script; `undefined` without a registry */
const installed = async (): Promise<string | undefined> => {
  const folder = await temporary();
  const script = join(folder, "server.cjs");
  copyFileSync(SERVER, script);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
  const { status, stderr } = spawnSync("npm", ["install", ...options, ...PACKAGES], {
    encoding: "utf8",
    env: { ...NETWORK, PATH: process.env.PATH, HOME: process.env.HOME },
  });
  if (status !== 0 && isWithoutRegistry(stderr)) return undefined;
  expect(status, stderr).toBe(0);
  return script;
};

const OPERATIONS = ["getMockRoutes", "getMockRoutesRouteId", "getMockCollectionsCollectionId"];

/** The end of the output; README.md shows it in its section "Any API". */
const OUTPUT = [
  "…",
  "docs 4.0.1  … requirements, … exchanges",
  "…",
  "certified, partial (--operation)  tried … of … (… %)",
  "docs, standard depth, seed 1, … exchanges in 4.1 s",
  "…",
];

test(
  "the document names the server, its lists give the identifiers, and the server is certified",
  LONG,
  async () => {
    const script = await installed();
    test.skip(script === undefined, "no npm registry");
    const [own, admin] = [await freePort(), await freePort()];
    const server = spawn(process.execPath, [script ?? "", `${own}`, `${admin}`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(server.stdout, "data");
      const document = `http://127.0.0.1:${admin}/docs/openapi.json`;
      const { code, stdout, certificate } = await certify([
        ...["--document", document, "--operation", OPERATIONS.join(",")],
      ]);
      expect(code).toBe(0);
      expect(certificate.target.baseUrls).toEqual({ docs: `http://127.0.0.1:${admin}/api` });
      expect(comparable(stdout)).toMatch(patternOf(OUTPUT));
      const verdicts = new Map(certificate.requirements.map(({ id, verdict }) => [id, verdict]));
      for (const id of [
        "getMockRoutesRouteId.success",
        "getMockCollectionsCollectionId.unknown-collectionId",
      ])
        expect(verdicts.get(`docs.${id}`), id).toBe("passed");
      const [, shown] = /^## Any API\n[\s\S]*?```text\n([\s\S]*?)```/m.exec(readme()) ?? [];
      if (shown !== undefined) expect(comparable(stdout)).toMatch(patternOf(shown.trimEnd().split("\n")));
    } finally {
      server.kill();
    }
  },
);

const readme = (): string => readFileSync(join(ROOT, "README.md"), "utf8");
