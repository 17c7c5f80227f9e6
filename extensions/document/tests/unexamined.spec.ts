/** A server that refuses nearly every valid call is not certified, and a run without the right key does not start. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { runIn, temporary } from "../../../tests/self/support/command.ts";
import { closeAll, web } from "../../../tests/self/support/loopback.ts";

/** Every operation has a parameter; the document also declares the header of the key as one. */
const DOCUMENT = `openapi: 3.1.0
info: { title: Lockers, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /lockers/{code}:
    get:
      parameters:
        - { name: code, in: path, required: true, schema: { type: string } }
        - { name: X-Key, in: header, required: true, schema: { type: string } }
        - { name: release, in: query, required: true, schema: { type: string } }
      responses: { "200": { description: Found. }, "400": { description: Wrong. }, "404": { description: None. } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`;

test.afterEach(closeAll);

/** The key, the exit code, and what the last line says. */
const RUNS: readonly (readonly [key: string, number, RegExp])[] = [
  ["", 2, /the service asks for a key \(401\): set --header 'X-Key: …'/],
  ["wrong", 2, /the key is refused with 401: .*correct --header 'X-Key: …'/],
  ["right", 3, /^why {3}1 of 1 operation of lockers .*release must be 2024-06-01/],
];
for (const [key, exitCode, says] of RUNS)
  test(`with the key "${key}", a run exits with ${exitCode} and says why in its last line`, async () => {
    const folder = await temporary();
    await writeFile(`${folder}/lockers.yaml`, DOCUMENT);
    const url = await web(({ url: path = "", headers }, response) => {
      const known = headers["x-key"] === "right" ? 400 : 401;
      response.writeHead(path.startsWith("/lockers/") ? known : 404).end("release must be 2024-06-01");
    });
    const given = key === "" ? [] : ["--header", `X-Key: ${key}`];
    const args = ["--document", "lockers.yaml", "--url", url, "--out", "out", "--id", "locker=7", ...given];
    const { code, stdout } = await runIn(folder, "certify", args);
    expect([code, stdout.trimEnd().split("\n").at(-1)]).toEqual([exitCode, expect.stringMatching(says)]);
  });
