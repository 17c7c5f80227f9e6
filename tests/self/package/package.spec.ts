/** The published package: what it contains, and that it works in a folder that is not a checkout. */
import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { parseSync } from "oxc-parser";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { copyOfCheckout } from "../support/checkout.ts";
import { COMMANDS, outcomeOf, ROOT } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { blocksIn, documents } from "./documents.ts";
import { install, manifest, pack } from "./installed.ts";

const MB = 1_000_000;

test("without its packages, a checkout says in one line what to do", async () => {
  const root = await copyOfCheckout();
  rmSync(join(root, "node_modules"));
  for (const command of ["pack", "run -s certify", "test"]) {
    const { status, stderr } = spawnSync("npm", command.split(" "), { cwd: root, encoding: "utf8" });
    expect(status, command).not.toBe(0);
    expect(stderr).toMatch(/^The packages of this checkout are not installed .*First run: npm ci$/m);
    expect(stderr).not.toMatch(/^ {4}at /m);
  }
  rmSync(root, { recursive: true });
});

test("where compiled code can't be written, a checkout loads its sources, and shows what is wrong with them", async () => {
  const root = await copyOfCheckout();
  rmSync(join(root, "node_modules"));
  mkdirSync(join(root, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    const own = join(root, "node_modules", name);
    if (name === ".cache") writeFileSync(own, "");
    else symlinkSync(join(ROOT, "node_modules", name), own);
  }
  const help = (): string => {
    const { stdout, stderr } = spawnSync(process.execPath, ["bin/start.cjs", "verify", "--help"], {
      cwd: root,
      encoding: "utf8",
    });
    return stdout + stderr;
  };
  expect(help()).toMatch(/^Usage: npm run verify/);
  appendFileSync(join(root, "bin", "verify.ts"), "const = 5;\n");
  expect(help()).toMatch(/bin\/verify\.ts:\d+:6: ERROR/);
  rmSync(root, { recursive: true });
});

/** Returns the blocks of the documents as test files. A block without imports continues the block before it. */
const examplesOfDocuments = (): (readonly [name: string, code: string])[] =>
  documents().flatMap((document) =>
    ["ts", "js"].flatMap((language) => {
      let imports = "";
      return blocksIn(document, language).map((block, index) => {
        imports = block.match(/^import .*\n/gm)?.join("") ?? imports;
        const head = block.startsWith("import") ? "" : imports;
        // A reader calls what this block exports.
        const calls = block.includes("now =") ? "await sleep(0), await now();" : "";
        const foot = block.includes("\ntest(")
          ? ""
          : 'import { test as loaded } from "@playwright/test";\nloaded("is loaded", () => {});\n';
        const name = document.replaceAll(/\W+/g, "-");
        return [`${name}-${index}.spec.${language}`, [head, block, calls, foot].join("\n")] as const;
      });
    }),
  );

/** A program that is typed with each service. */
const TYPED = ["card-enrollment", "financial-data", "installments"]
  .map((name, index) => `export type { Operations as Operations${index} } from "assay/types/${name}";\n`)
  .join("");

test.describe("installed", () => {
  test.describe.configure({ mode: "serial" });
  let folder = "";
  let tarball = "";

  const npx = (args: readonly string[], environment: Record<string, string> = {}) => {
    const own = { HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), NO_COLOR: "1", ...environment };
    const env = { PATH: process.env.PATH, ...own };
    return outcomeOf(spawn("npx", ["--no-install", ...args], { cwd: folder, env }));
  };

  const filesOf = (path: string): string[] =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();

  const sizeOf = (path: string): number => filesOf(path).reduce((sum, file) => sum + statSync(file).size, 0);

  test.beforeAll(async () => {
    // Outside of the checkout, whose packages would be found otherwise.
    folder = mkdtempSync(join(tmpdir(), "assay-installed-"));
    tarball = await pack(folder);
    install(tarball, folder);
  });

  test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("it is small, and contains nothing of the product's own tests", LONG, () => {
    expect(statSync(tarball).size).toBeLessThan(4 * MB);
    expect(sizeOf(join(folder, "node_modules"))).toBeLessThan(90 * MB);
    const own = filesOf(join(folder, "node_modules", "assay")).map((file) => file.slice(folder.length));
    expect(own.filter((file) => /\/(?:self|bench|tests\/\S*callers)\//.test(file))).toEqual([]);
    const code = own.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"));
    expect(code.filter((file) => !file.includes("/templates/"))).toEqual([]);
  });

  test("each package that the code imports is installed", LONG, () => {
    const known = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
    const imports = filesOf(join(folder, "node_modules", "assay", "dist"))
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) => [
        ...readFileSync(file, "utf8").matchAll(/^(?:import|\}|export).*? from "([^."][^"]*)"/gm),
      ])
      .map(([, name = ""]) => (/^(?:@[^/]+\/)?[^/]+/.exec(name) ?? [""])[0]);
    expect(imports).toContain("fastify");
    expect(imports.filter((name) => !name.startsWith("node:") && !known.includes(name))).toEqual([]);
  });

  test("each file that the code imports is there", LONG, () => {
    const missing = filesOf(join(folder, "node_modules", "assay", "dist"))
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) => importedBy(readFileSync(file, "utf8")).map((path) => join(dirname(file), path)))
      .filter((file) => !existsSync(file));
    expect(missing).toEqual([]);
  });

  test("certify writes to the folder of the user only", LONG, async () => {
    const before = filesOf(join(folder, "node_modules"));
    const ended = await npx(["assay", "certify", "--service", "installments", "--depth", "quick"]);
    expect(ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\ncertified {2}tried [1-9]\d* of \d+/),
    });
    expect(readCertificate(join(folder, "reports", "out"))).toMatchObject({ outcome: "certified" });
    expect(filesOf(join(folder, "node_modules"))).toEqual(before);
  });

  test(
    "the settings of a target are in the folder, and findings show the package's command",
    LONG,
    async () => {
      const lost = await npx(["assay", "certify", "--target", "mine"]);
      expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no file .env.mine") });
      const unknown = await npx(["assay", "certifi"]);
      expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('no command "certifi"') });
      expect(unknown.stderr).toContain("Did you mean certify");
      expect((await npx(["assay", "help", "certify"])).stdout).toMatch(/^Usage: assay certify \[options\]/);
      expect((await npx(["assay", "-V"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
      const options = join(folder, "assay.config.yaml");
      writeFileSync(options, "allure: true\n");
      const allure = await npx(["assay", "certify"]);
      rmSync(options);
      expect(allure).toMatchObject({ code: 2, stderr: expect.stringContaining("allure-playwright") });
      for (const command of COMMANDS.filter((name) => !["bench", "check", "mutation"].includes(name))) {
        expect(await npx(["assay", command, "--help"])).toMatchObject({ code: 0, stderr: "" });
      }
      const requirements = await npx(["assay", "requirements", "--service", "installments"]);
      expect(requirements).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("with npx assay proxy"),
      });
    },
  );

  test("a service of the user is written, certified, and updated from its next version", LONG, async () => {
    const document = (version: string, more: string): string =>
      `{ openapi: 3.1.0, info: { title: Shelves, version: ${version} }, paths: { /shelves: ` +
      `{ get: { operationId: listShelves, responses: { '200': { description: All., content: { application/json: ` +
      `{ schema: { type: array, items: { type: string } } } } } } } }${more} } }`;
    const path = join(folder, "shelves.yaml");
    const write = () => npx(["assay", "new-service", "shelves", "--from", "shelves.yaml"]);
    writeFileSync(path, document("1.0.0", ""));
    expect(await write()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("assay-services/shelves/openapi.yaml\n"),
    });
    expect((await npx(["assay", "new-service", "installments", "--from", "shelves.yaml"])).stderr).toMatch(
      /^installments is a service of the package/,
    );
    const certified = () => npx(["assay", "certify", "--service", "shelves", "--depth", "quick"]);
    expect(await certified()).toMatchObject({ code: 0 });
    const contract = join(folder, "assay-services", "shelves", "openapi.yaml");
    writeFileSync(
      contract,
      readFileSync(contract, "utf8").replace("type: string", "type: string\n  # By hand."),
    );
    writeFileSync(
      path,
      document(
        "2.0.0",
        ", /rooms: { get: { operationId: listRooms, responses: { '204': { description: No. } } } }",
      ),
    );
    expect(await write()).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(contract, "utf8")).toContain("# By hand.");
    expect(await certified()).toMatchObject({ code: 0 });
    const { operations } = readCertificate(join(folder, "reports", "out")) ?? {};
    expect(operations?.map(({ operationId }) => operationId)).toEqual(["listShelves", "listRooms"]);
    rmSync(join(folder, "assay-services"), { recursive: true });
  });

  test("each export compiles in a user's strict TypeScript, and works", LONG, async () => {
    for (const name of ["@types/node", "undici-types"]) {
      cpSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name), { recursive: true });
    }
    mkdirSync(join(folder, "suite"));
    const example = readFileSync(new URL("example.txt", import.meta.url), "utf8");
    writeFileSync(join(folder, "suite", "example.spec.ts"), example);
    writeFileSync(join(folder, "suite", "typed.ts"), TYPED);
    const shown = examplesOfDocuments();
    expect(shown.length).toBeGreaterThan(4);
    for (const [name, code] of shown) writeFileSync(join(folder, "suite", name), code);
    cpSync(join(ROOT, "templates", "sandbox.vitest.ts"), join(folder, "suite", "sandbox.vitest.ts"));
    // Both test runners have these two names.
    const vitest = 'declare module "vitest" {\n  export { expect, test } from "@playwright/test";\n}\n';
    writeFileSync(join(folder, "suite", "vitest.d.ts"), vitest);
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      module: "nodenext",
      target: "esnext",
      noEmit: true,
      types: ["node"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["suite"] }));
    const tsc = join(ROOT, "node_modules", ".bin", "tsc");
    expect(await npx([tsc, "-p", "."])).toMatchObject({ code: 0, stdout: "" });
    const ended = await npx(["playwright", "test", "suite", "--reporter", "line"]);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining(`${5 + shown.length} passed`) });
  });
});

/** Returns the relative paths that code imports; sources in its texts, which `new-service` writes, do not count. */
const importedBy = (code: string): string[] => {
  const { staticImports, staticExports } = parseSync("file.js", code).module;
  const requested = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? "")),
  ];
  return requested.filter((path) => path.startsWith("."));
};
