/**
 * `npm run diff -- OLD NEW`: shows what a new version of an OpenAPI document breaks, with an example message (a
 * witness) for each breaking change.
 */
import { Option } from "commander";
import { readAcceptList } from "../../../helpers/accept/accept-list.ts";
import { commandWith } from "../../../helpers/contract/code.ts";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { linesIn } from "../../../helpers/contract/documents/line-of.ts";
import type { EntryClass } from "../../../helpers/contract/documents/upgrade.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { jsonText } from "../../../helpers/exchange/visible.ts";
import { isColored, note, print } from "../../../reports/print.ts";
import { createCommand } from "../../../runner/command/command.ts";
import { parseService } from "../../../runner/command/options.ts";
import { runCommand } from "../../../runner/command/run-command.ts";
import { acceptChanges, hasStaleAcceptance, isDiffFingerprint } from "../accepted.ts";
import { diffDocuments } from "../diff.ts";
import type { ApiDocument } from "../document/model.ts";
import { readApiDocument } from "../document/read.ts";
import { endsIn, endsOf } from "../ends.ts";
import type { Diff, Entry } from "../entry.ts";
import { renderDiffAnnotations } from "../rendering/annotations.ts";
import { renderGuide } from "../rendering/guide.ts";
import { renderDiffJunit } from "../rendering/junit.ts";
import { renderDiffMarkdown } from "../rendering/markdown.ts";
import { renderDiffSarif } from "../rendering/sarif.ts";
import { renderDiffText, renderEnds } from "../rendering/terminal.ts";
import { ofContract, touchedOperations } from "../touched.ts";

/** The formats, the default first. */
const RENDERERS = {
  text: (diff) => renderDiffText(diff, { color: isColored() }),
  json: (diff) => `${jsonText(diff, 2)}\n`,
  markdown: renderDiffMarkdown,
  junit: (diff, _, failOn) => renderDiffJunit(diff, (entry) => isOpen(entry, failOn)),
  sarif: (diff, revision) => renderDiffSarif(diff, linesIn(revision.source.text, revision.root)),
  github: (diff, revision) => renderDiffAnnotations(diff, linesIn(revision.source.text, revision.root)),
  guide: renderGuide,
} as const satisfies Record<string, (diff: Diff, revision: ApiDocument, failOn: FailOn) => string>;

/** The classes that make the command fail. */
const FAILING = {
  breaking: ["breaking"],
  undecided: ["breaking", "undecided"],
  changed: ["breaking", "undecided", "compatible"],
} as const satisfies Record<string, readonly EntryClass[]>;
type FailOn = keyof typeof FAILING;

interface Flags {
  readonly service?: Service;
  readonly format: keyof typeof RENDERERS;
  readonly failOn?: FailOn;
  readonly accept?: string;
  readonly ends?: true;
}

const main = async (oldFile: string, newFile: string, flags: Flags): Promise<number> => {
  const showProgress = progress();
  const list = flags.accept === undefined ? undefined : readAcceptList(flags.accept, isDiffFingerprint);
  showProgress("reading both documents");
  const [base, revision] = [readApiDocument(oldFile), readApiDocument(newFile)];
  const { service } = flags;
  const contract = service === undefined ? undefined : await loadContract(service, { providerFile: newFile });
  if (flags.ends) {
    const sources = [base, revision].map((one) => [`${one.version} (${one.file})`, endsIn(one)] as const);
    const own =
      contract === undefined ? [] : [[`the contract of ${contract.service}`, endsOf(contract)] as const];
    print(renderEnds([...sources, ...own]));
    return 0;
  }
  const found = diffDocuments(base, revision, (done, count) =>
    showProgress(`${done} of ${count} changes judged`),
  );
  const all = list === undefined ? found : acceptChanges(found, list, new Date());
  const diff = contract === undefined ? all : ofContract(all, contract);
  print(RENDERERS[flags.format](diff, revision, flags.failOn ?? "breaking"));
  if (flags.format === "text" && contract !== undefined) print(advice(diff, contract, oldFile, newFile));
  const { failOn } = flags;
  const isFailed = failOn !== undefined && diff.entries.some((entry) => isOpen(entry, failOn));
  return isFailed || hasStaleAcceptance(diff) ? 1 : 0;
};

/** Shows progress after two seconds. */
const progress = (): ((text: string) => void) => {
  let shownAt = performance.now();
  const started = shownAt;
  return (text) => {
    const now = performance.now();
    if (now - started < 2000 || now - shownAt < 500) return;
    shownAt = now;
    note(`${text}\n`);
  };
};

const advice = (diff: Diff, contract: Contract, oldFile: string, newFile: string): string => {
  if (touchedOperations(diff, contract).length === 0)
    return "\nThe new document changes no operation of the contract.\n";
  const upgrade = commandWith("certify", "--contract", `${contract.service}=${newFile}`, "--since", oldFile);
  return `\nTo test what the new document changes: ${upgrade}\n`;
};

/** Whether an entry makes the command fail. */
const isOpen = (entry: Entry, failOn: FailOn): boolean =>
  entry.accepted === undefined && (FAILING[failOn] as readonly EntryClass[]).includes(entry.class);

const command = createCommand("diff")
  .description(
    "Compares two OpenAPI documents (3.0 or 3.1, YAML or JSON) and shows what breaks, with a witness.",
  )
  .argument("<old>", "the document that clients were built against")
  .argument("<new>", "the document that replaces it")
  .option("--service <service>", "only changes of operations in this service's contract", (name) =>
    parseService(name),
  )
  .addOption(new Option("--format <format>", "output format").choices(Object.keys(RENDERERS)).default("text"))
  .addOption(
    new Option("--fail-on <class>", "class of changes that makes the command exit with 1").choices(
      Object.keys(FAILING),
    ),
  )
  .option("--accept <file>", "changes that are known and accepted, by fingerprint")
  .option("--ends", "list what ends, and when: by both documents, and with --service by the contract")
  .addHelpText(
    "after",
    "\nThe file of accepted changes (--accept) is a YAML list of entries with fingerprint, owner, reason and expires\n" +
      "(a date). Accepted changes are shown, but do not count for --fail-on. An expired entry accepts nothing. An entry\n" +
      "whose change no longer occurs is stale and makes the command exit with 1." +
      "\n\nA document may be in git: git:REVISION:path, with the path from the root of the repository." +
      "\n\nExit code: 0 fine, 1 when --fail-on is met (undecided: or breaking; changed: anything but documentation) or an\n" +
      "accepted change is stale, 2 bad arguments or document.",
  )
  .exitOverride()
  .action(async (oldFile: string, newFile: string, flags: Flags) => {
    process.exitCode = await main(oldFile, newFile, flags);
  });

await runCommand(() => command.parseAsync());
