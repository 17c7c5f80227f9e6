/** Asks for settings on the terminal. Secrets are not shown. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import { ours, print } from "../../reports/print.ts";

export const openPrompts = () => {
  // Text that was pasted for a later question may be a secret.
  let isHidden = true;
  const output = new Writable({
    write(chunk, _, done) {
      if (!isHidden) print(ours(String(chunk)));
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true, prompt: "" });
  const shown: boolean[] = [];
  lines.on("line", () => {
    shown.push(!isHidden);
    isHidden = true;
  });
  lines.once("SIGINT", () => process.exit(INTERRUPTED));
  const answers = lines[Symbol.asyncIterator]();
  return {
    /**
     * @returns an empty text if the user gives no value
     * @throws ConfigurationError when the input ends
     */
    async ask(question: string, isSecret: boolean): Promise<string> {
      print(question);
      isHidden = isSecret;
      const { value, done } = await answers.next();
      if (!shown.shift()) print(isSecret || done ? "\n" : `${value}\n`);
      if (done)
        throw new ConfigurationError("The input ended before the last question: no file was written.");
      return value.trim();
    },
    close: () => lines.close(),
  };
};

/** The exit code of a command that Ctrl-C ended. */
const INTERRUPTED = 130;
