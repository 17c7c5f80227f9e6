/** The house rules that lint can't check, one row each. */
import { dirname, join } from "node:path/posix";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import manifest from "../../../package.json" with { type: "json" };
import { EXTENSIONS, OF_EXTENSIONS, PRODUCT } from "./files.ts";
import { unrepeatedReads } from "./unrepeated-reads.ts";

export interface Rule {
  readonly rule: string;
  /** Folders and files, from the root of the checkout. */
  readonly where: readonly string[];
  /** Returns the lines that break the rule, counted from 1. */
  broken(file: File): readonly number[];
  /** A file in which only the last line breaks the rule. */
  readonly example: File;
  /** The advice for a violation. */
  readonly hint: string;
}

interface File {
  readonly path: string;
  readonly text: string;
}

const ENGINE_OF_EXTENSIONS = OF_EXTENSIONS.filter((path) => !path.includes("/services/"));

/** The code that serves all services and contains no name of a service. */
const ENGINE = [
  ...ENGINE_OF_EXTENSIONS,
  "bin",
  "fixtures/engine",
  "helpers",
  "mocks/engine",
  "mutation",
  "playwright.config.ts",
  "reports",
  "runner",
];

/** The trials of the services. */
const SCENARIOS = services().map((service) => `tests/${service}`);

const forbid =
  (pattern: RegExp): Rule["broken"] =>
  ({ text }) =>
    text.split("\n").flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));

const printed = forbid(/\bprocess\.std(?:out|err)\.write\b|\bconsole\./);

const contracts = await Promise.all(services().map((service) => loadContract(service)));

/** Patterns that match every spelling of a name: card enrollment, cardEnrollment, CARD_ENROLLMENT_API_KEY. */
const serviceNames = services().map((service) => service.replaceAll("-", "[-_ ]?"));

const operations = new Map(
  contracts.flatMap((contract) => contract.operations.map((one) => [one.operationId, one] as const)),
);

const operationIds = [...operations.keys()];

/** The commands, by name. */
const scripts: Readonly<Record<string, string>> = manifest.scripts;

/** The largest number of lines of a file. */
const MOST_LINES = 300;

export const RULES: readonly Rule[] = [
  {
    rule: "the engine names no service and no setting of a service",
    where: ENGINE,
    broken: forbid(new RegExp(serviceNames.join("|"), "i")),
    example: { path: "helpers/a.ts", text: "// Cards.\nvalues.CARD_ENROLLMENT_API_KEY" },
    hint: "move it to a folder of the service, or make it a fact in schemas/<service>/service.yaml",
  },
  {
    rule: "the engine names no operation",
    where: ENGINE,
    broken: forbid(new RegExp(`\\b(?:${operationIds.join("|")})\\b`)),
    example: { path: "helpers/a.ts", text: "putCards\nputCard" },
    hint: "move it to a folder of the service, or make it an annotation in its openapi.yaml",
  },
  {
    rule: "every request names the product, because common firewalls refuse others",
    where: ["helpers", "fixtures", ...OF_EXTENSIONS],
    broken: ({ text }) =>
      /^import \{[^}]*\brequest\b[^}]*\} from "undici"/m.test(text) && !text.includes("USER_AGENT")
        ? [1]
        : [],
    example: { path: "helpers/a.ts", text: 'import { request } from "undici";' },
    hint: "send the headers USER_AGENT of helpers/exchange/user-agent.ts, or use the client",
  },
  {
    rule: "checks show values whole, because a part of a secret can't be redacted",
    where: ["fixtures", "helpers/checks", "helpers/sequences", ...EXTENSIONS, ...SCENARIOS],
    broken: forbid(/\.(?:slice|substring|substr)\(0, *(?:1[1-9]|[2-9]\d|\d{3,}|LONGEST\w*)\b|shorten/),
    example: { path: "helpers/checks/a.ts", text: "all.slice(0, 3)\nactual: text.slice(0, 120)" },
    hint: "give the whole value to the judge, which cuts it after it has redacted it",
  },
  {
    rule: "an extension imports no other one, because each can be taken away",
    where: ["runner/extensions.ts", ...EXTENSIONS],
    broken: ({ path, text }) =>
      text.split("\n").flatMap((line, index) => {
        const [, target = "."] = /(?:from |import\()"(\.[^"]+)"/.exec(line) ?? [];
        const [folder, name = ""] = join(dirname(path), target).split("/");
        // Templates of files have imports that start elsewhere.
        const isOwn = name === path.split("/")[1] || PRODUCT.includes(name);
        return folder === "extensions" && !isOwn ? [index + 1] : [];
      }),
    example: {
      path: "extensions/a/b.ts",
      text: 'import { c } from "./d/c.ts";\nimport { d } from "../d/c.ts";',
    },
    hint: "ask for what the other one gives with partAt of runner/extensions.ts",
  },
  {
    rule: "bin holds commands and nothing else",
    where: ["bin"],
    broken: ({ path }) => (scripts[path.slice("bin/".length, -".ts".length)] === undefined ? [1] : []),
    example: { path: "bin/mocking.ts", text: "" },
    hint: "move it to runner/, or add its script to package.json",
  },
  {
    rule: "no folder for temporary files is left when a signal ends a process",
    where: [...PRODUCT, "bench"],
    broken: ({ path, text }) =>
      path === "helpers/contract/process-end.ts" ? [] : forbid(/\bmkdtemp(?:Sync)?\(/)({ path, text }),
    example: { path: "runner/a.ts", text: 'temporaryFolder("a");\nmkdtempSync(join(tmpdir(), "a-"));' },
    hint: "use temporaryFolder of helpers/contract/process-end.ts",
  },
  {
    rule: "nothing imports bin",
    where: [...PRODUCT, "bench", "tests"],
    broken: forbid(/^(?:import|export|\}).* from ".*\/bin\//),
    example: { path: "runner/a.ts", text: 'import {\n  a,\n} from "../bin/a.ts";' },
    hint: "move what is shared to runner/",
  },
  {
    rule: "commands import no other command",
    where: ["bin"],
    broken: forbid(/^(?:import|export|\}).* from "\.\//),
    example: {
      path: "bin/mock.ts",
      text: 'import { b } from "../runner/b.ts";\nimport { a } from "./a.ts";',
    },
    hint: "move what is shared to runner/",
  },
  {
    rule: "no cast makes a context or an exchange",
    where: PRODUCT,
    broken: forbid(/\}\)? as (?:unknown as )?(?:\w*Context|Exchange|Seen)\b/),
    example: {
      path: "runner/a.ts",
      text: "const b: Context = c;\nconst context = { judge } as TrialContext;",
    },
    hint: "give all its members, or make the type of the parameter smaller",
  },
  {
    rule: "scenarios read the content of accepted answers only",
    where: [
      "helpers/sequences/resource-model.ts",
      "helpers/sequences/sequences.ts",
      "helpers/trials/kit",
      "fixtures/financial-data",
      "fixtures/installments",
      "tests/financial-data",
      "tests/installments",
    ],
    broken: forbid(/\bresponse\??\.json\b(?! !== undefined)/),
    example: { path: "tests/installments/a.ts", text: "contentOf(read);\nread.response?.json" },
    hint: "use contentOf or, in a check about refusals, refusalIn",
  },
  {
    rule: "a read after a change is repeated before it is judged, because a change may show late",
    where: SCENARIOS,
    broken: ({ text }) => unrepeatedReads(text, operations),
    example: {
      path: "tests/financial-data/a.ts",
      text: [
        'const READ = "GetCustomer";',
        "const repeated = async () => {",
        "  const before = await t.accepted(READ);",
        '  await t.answered("ModifyCustomer");',
        "  const after = await t.readUntil(() => t.accepted(READ), isChanged);",
        '  t.judgeThat("id", true, [before, after], {});',
        "};",
        "const once = async () => {",
        '  await t.answered("ModifyCustomer");',
        '  const read = await t.accepted(READ); t.judgeThat("id", true, [read], {}); };',
      ].join("\n"),
    },
    hint: "read with t.readUntil",
  },
  {
    rule: `no file of the product has more than ${MOST_LINES} lines`,
    where: PRODUCT,
    broken: ({ text }) => (text.trimEnd().split("\n").length > MOST_LINES ? [MOST_LINES + 1] : []),
    example: { path: "helpers/a.ts", text: `${"a\n".repeat(MOST_LINES)}a` },
    hint: "split it by subject",
  },
  {
    rule: "commands print with reports/print.ts only",
    where: ["bin", "mutation", "reports", "runner", ...OF_EXTENSIONS],
    broken: (file) => (file.path === "reports/print.ts" ? [] : printed(file)),
    example: { path: "bin/a.ts", text: 'print("a");\nprocess.stdout.write("a");' },
    hint: "use print or note: they make the texts of documents and servers harmless",
  },
  {
    rule: "no text writes out how a command is started",
    where: PRODUCT,
    broken: ({ path, text }) =>
      path === "helpers/contract/code.ts"
        ? []
        : forbid(/^(?!\s*(?:\*|\/[*/])).*\b(?:npm run|npx assay)\b/)({ path, text }),
    example: { path: "bin/a.ts", text: "/** `npm run a` */\nconst next = `npm run certify`;" },
    hint: "use commandName or commandWith: the installed package is started with npx",
  },
  {
    rule: "command lines are built from lists of words, which are quoted in one place",
    where: PRODUCT,
    broken: ({ path, text }) =>
      path === "helpers/contract/shell.ts"
        ? []
        : forbid(/commandWith\(.*\)\} (?:-|\$\{)|\[commandWith\(|["'`](?:curl|printf|sed) [^"'`]|'\\\\''/)({
            path,
            text,
          }),
    example: { path: "bin/a.ts", text: 'commandWith("judge", ...files)\n[commandWith("judge"), ...files]' },
    hint: "give the words to commandWith, or to shellLine of helpers/contract/shell.ts",
  },
  {
    rule: "durations come from a clock that nobody sets",
    where: ["bin", "helpers", "mutation", "reports", "runner", ...ENGINE_OF_EXTENSIONS],
    broken: forbid(/Date\.now\(\) *[-+<>]|[-<>]=? *Date\.now\(\)|= Date\.now\b(?!\()/),
    example: { path: "helpers/a.ts", text: "const at = Date.now();\nDate.now() - at" },
    hint: "use steadyNow of helpers/contract/steady-time.ts, or performance.now",
  },
  {
    rule: "commands print errors of ours with their stack, and not as mistakes of the user",
    where: ["bin"],
    broken: forbid(/runCommand\(.*[[ ]Error\b/),
    example: { path: "bin/a.ts", text: "runCommand(main, [MergeError]);\nrunCommand(main, [Error]);" },
    hint: "name the classes of errors whose messages are for the user",
  },
  {
    rule: "no code outside reports reads the text of a reason, message, statement or title back",
    where: ["bin", "fixtures", "helpers", "mutation", "runner", ...EXTENSIONS, ...SCENARIOS],
    broken: ({ path, text }) => (TEXTS_OF_OTHERS.includes(path) ? [] : readsText({ path, text })),
    example: {
      path: "helpers/a.ts",
      text: "print(error.message);\nif (reason.startsWith(start)) print(title);",
    },
    hint: "compare the code of a reason (helpers/reasons/), or the value that the text was made from",
  },
];

const TOLD = "(?:reason|message|statement|title)";

const readsText = forbid(
  new RegExp(
    [
      `\\b${TOLD}\\??\\.(?:includes|startsWith|endsWith|match|matchAll|search)\\(`,
      `\\.(?:test|exec)\\((?:\\w+\\??\\.)*${TOLD}\\b[^,]*\\)`,
      `(?<!typeof [\\w?.]*)\\b(?:reason|statement) [!=]== ["\`]\\w`,
    ].join("|"),
  ),
);

/** The files that read texts of parsers, of Node.js and of the transport, or give a text its fingerprint. */
const TEXTS_OF_OTHERS = [
  "helpers/accept/fingerprint.ts",
  "helpers/contract/documents/file-problem.ts",
  "helpers/contract/documents/parse.ts",
  "helpers/exchange/failure.ts",
];
