/** Broken or hostile documents, and legal ones with recursion, for what reads documents. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { temporary } from "../support/command.ts";

const HEAD = 'openapi: 3.0.3\ninfo:\n  title: T\n  version: "1"\n';
const START = `${HEAD}paths:
  /a:
    get:
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/A"
components:
  schemas:
`;
export const schemas = (...lines: readonly string[]) => START + lines.map((line) => `    ${line}\n`).join("");
export const REF = '$ref: "#/components/schemas/A"';

const bomb = Array.from({ length: 9 }, (_, level) => {
  const values = level === 0 ? "x" : `*a${level - 1}`;
  return `  a${level}: &a${level} [${Array.from({ length: 9 }, () => values).join(", ")}]\n`;
}).join("");

/** What a $ref names, and the end of the message after the name of the file. */
const REFS: readonly (readonly [about: string, $ref: string, says: RegExp])[] = [
  ["an address", "https://example.com/a.yaml", /^:17:5 .* is an address\. Only files are read/],
  ["the address of a file", "file:///etc/passwd", /^:17:5 .* is an address/],
  ["an absolute path", "/etc/passwd", /^:17:5 .* leaves the folder of the document/],
  ["a path out of the folder", "../../a.yaml", /^:17:5 .* leaves the folder of the document/],
  ["a link out of the folder", "link.yaml", /^:17:5 .* leaves the folder of the document/],
  ["a file that is missing", "none.yaml", /^:17:5 .* names no file/],
  ["an anchor", "#a", /^:17:5 .* names nothing in the document/],
];

/** The name of the case, the document, and the end of the message after the name of the file. */
const BROKEN: readonly (readonly [about: string, text: string, says: RegExp])[] = [
  ...REFS.map(([about, $ref, says]) => [about, schemas("A:", `  $ref: "${$ref}"`), says] as const),
  [
    "a reference to itself",
    schemas("A:", `  ${REF}`),
    /^:17:5 \(\/components\/schemas\/A\): \$ref .* leads only to itself/,
  ],
  [
    "references in a circle",
    schemas("A:", '  $ref: "#/components/schemas/B"', "B:", `  ${REF}`),
    /^:\d+:5 .* leads only to itself/,
  ],
  ["an allOf of itself", schemas("A:", "  allOf:", `    - ${REF}`), /^:19:11 .* leads only to itself/],
  [
    "a oneOf of itself",
    schemas("A:", "  oneOf:", `    - ${REF}`, "    - type: string"),
    /^:19:11 .* leads only/,
  ],
  [
    "a parameter that refers to itself",
    `${HEAD}paths: {}\ncomponents:\n  parameters:\n    P:\n      $ref: "#/components/parameters/P"\n`,
    /^:8:5 .* leads only to itself/,
  ],
  ["an alias bomb", `${schemas("A: {}")}x-bomb:\n${bomb}`, /^:\d+:\d+ .* aliases repeat too many values/],
  [
    "an alias of itself",
    schemas("A: &a", "  properties:", "    b: *a"),
    /^:19:9 .* an alias contains itself/,
  ],
  ["an alias of nothing", schemas("A: *a"), /^:17:9: unidentified alias "a"/],
  [
    "a key that occurs twice",
    schemas("A:", "  type: object", "  type: string"),
    /^:19:7: duplicated mapping key/,
  ],
  [
    "a key that occurs twice in JSON",
    '{"openapi": "3.1.0",\n"paths": {},\n"paths": {}}',
    /^:3:2: duplicated mapping key/,
  ],
  ["too many levels", `${START}    A: ${"[".repeat(9999)}`, /^:17:\d+: more than 400 levels are nested/],
  ["OpenAPI 2.0", "swagger: '2.0'\npaths: {}\n", /^:1:1 .*OpenAPI 2\.0 is not supported/],
  ["OpenAPI 3.2", "openapi: 3.2.0\npaths: {}\n", /^:1:1 .*OpenAPI 3\.2\.0 is not supported/],
  ["OpenAPI 3.0 without paths", `${HEAD}components: {}\n`, /^:1:1 .*`paths` is missing/],
  ["OpenAPI 3.1 without anything", "openapi: 3.1.0\ninfo: {}\n", /^:1:1 .*`paths` is missing/],
  ["no YAML", `${HEAD}paths:\n  a: [\n`, /^:\d+:\d+: .+ Correct the syntax/],
  ["a list", "- 1\n- 2\n", /^:1:1: the document must be an object/],
  ["an unknown type", schemas("A: { type: text }"), /\/A\/type\): `type` has to be a JSON type/],
  ["properties in a list", schemas("A: { properties: [] }"), /`properties` has to be an object/],
  ["a pattern that is no text", schemas("A: { pattern: 1 }"), /`pattern` has to be a regular expression/],
  ["two documents", `${HEAD}paths: {}\n---\na: 1\n`, /^:1:1: expected a single document/],
  [
    "more than 64 MB",
    `${HEAD}paths: {}\n#${" ".repeat(64 * 2 ** 20)}`,
    /^:1: it has 64\.1 MB, and at most 64 MB are read/,
  ],
];

export const written = async (name: string, text: string): Promise<string> => {
  const path = join(await temporary(), name);
  await writeFile(path, text);
  return path;
};

const messageOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return "it is accepted";
};

/** Recursion through a property or an item ends with each finite value. */
const LEGAL: readonly (readonly [about: string, text: string])[] = [
  [
    "through items and alternatives",
    schemas("A:", "  properties:", "    b:", "      items:", `        anyOf: [{${REF}}, {type: string}]`),
  ],
  [
    "into a part of a schema",
    schemas(
      "A:",
      "  properties:",
      "    b:",
      "      properties:",
      '        c: {$ref: "#/components/schemas/A/properties/b"}',
    ),
  ],
  ["from file to file", schemas("A:", '  $ref: "parts/one.yaml#/One"')],
];

/** @param readers refuse the same documents with the same messages */
export const readsDocuments = (...readers: readonly ((path: string) => { readonly version: string })[]) => {
  for (const [about, text, says] of BROKEN)
    test(`${about} is refused with its place`, async () => {
      const path = await written("broken.yaml", text);
      await symlink("/etc/hosts", join(path, "..", "link.yaml"));
      const before = process.cpuUsage();
      const messages = readers.map((read) => messageOf(() => read(path)));
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1e6, "the processor time in seconds").toBeLessThan(10);
      expect(messages[0]?.replace(/^ContractError: .*?broken\.yaml/, "")).toMatch(says);
      expect(messages[0]).not.toContain("\n");
      expect(new Set(messages).size).toBe(1);
    });
  for (const [about, text] of LEGAL)
    test(`legal recursion is followed: ${about}`, async () => {
      const path = await written("legal.yaml", text);
      const parts = join(path, "..", "parts");
      await mkdir(parts);
      await writeFile(join(parts, "one.yaml"), 'One:\n  properties:\n    two: {$ref: "two.yaml#/Two"}\n');
      await writeFile(join(parts, "two.yaml"), 'Two:\n  items: {$ref: "./one.yaml#/One"}\n');
      for (const read of readers) expect(read(path).version).toBe("1");
    });
};
