/** Asks for settings on the terminal. Secrets are not shown. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

export interface Prompts {
  /** @returns an empty text if the user gives no value */
  ask(question: string, isSecret: boolean): Promise<string>;
  close(): void;
}

export const openPrompts = (): Prompts => {
  let isHidden = false;
  const output = new Writable({
    write(chunk, _, done) {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  lines.once("SIGINT", () => process.exit(2));
  return {
    async ask(question, isSecret) {
      process.stdout.write(question);
      isHidden = isSecret;
      try {
        return (await lines.question("")).trim();
      } finally {
        if (isHidden) process.stdout.write("\n");
        isHidden = false;
      }
    },
    close: () => lines.close(),
  };
};
