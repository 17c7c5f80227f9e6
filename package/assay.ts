#!/usr/bin/env node
import { systemProblem } from "../helpers/contract/documents/file-problem.ts";
/** `npx assay COMMAND`: starts a command of the installed package. */
import { extensions } from "../helpers/contract/extension.ts";
import { didYouMean } from "../helpers/contract/nearest.ts";
import { VERSION } from "../helpers/exchange/user-agent.ts";
import { ignoreClosedPipes } from "../helpers/run/closed-pipes.ts";
import "../helpers/run/show-sources.ts";
import { BAD_ARGUMENTS, EXIT_INCOMPLETE } from "../reports/certificate/exit-code.ts";
import type { Extension } from "../runner/extensions.ts";

const COMMANDS: Readonly<Record<string, string>> = {
  certify: "tests whether a server keeps its promises; the embedded sandbox without --target",
  init: "writes the settings of a target",
  doctor: "checks the settings of a target with a handful of requests",
  mock: "runs the sandbox alone",
  replay: "repeats the requests of a finding",
  verify: "verifies a signed certificate",
  merge: "merges the results of shards",
  requirements: "lists every requirement",
  clean: "removes what a run left on its target",
};

/** Each command with what it does and its file: those of the core, then those of the extensions. */
const available = [
  ...Object.entries(COMMANDS).map(([name, what]) => [name, what, `../bin/${name}.js`] as const),
  ...[...(await extensions<Extension>())].flatMap(([folder, { commands = {} }]) =>
    Object.entries(commands).map(
      ([name, what]) => [name, what, `../extensions/${folder}/bin/${name}.js`] as const,
    ),
  ),
];

const help = (): string =>
  `Usage: assay COMMAND [options]\n\n${available.map(([name, what]) => `  ${name.padEnd(14)}${what}\n`).join("")}\n` +
  "assay help COMMAND lists the options of a command.\n";

const names = available.map(([name]) => name);

const [, , first, second] = process.argv;
// `assay help certify` is `assay certify --help`.
if (first === "help" && second !== undefined) process.argv.splice(2, 2, second, "--help");
const [command = "--help"] = process.argv.splice(2, 1);

/** Reports that the command could not be loaded. */
const report = (error: Error): void => {
  process.stderr.write(`${systemProblem(error)?.sentence ?? error.stack}\n`);
  process.exitCode = EXIT_INCOMPLETE;
};

ignoreClosedPipes();
const [, , file] = available.find(([name]) => name === command) ?? [];
if (file !== undefined) await import(new URL(file, import.meta.url).href).catch(report);
else if (["--version", "-V"].includes(command)) process.stdout.write(`${VERSION}\n`);
else if (["--help", "-h", "help"].includes(command)) process.stdout.write(help());
else {
  const similar = didYouMean(command, names);
  process.stderr.write(`There is no command "${command}".${similar} assay help lists all commands.\n`);
  process.exitCode = BAD_ARGUMENTS;
}
