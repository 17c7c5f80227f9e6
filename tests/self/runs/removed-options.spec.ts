/** The options that earlier versions had: each command says what replaces them. */
import { expect, test } from "@playwright/test";
import { REMOVED_OPTIONS } from "../../../runner/command/removed-options.ts";
import { COMMANDS, run } from "../support/command.ts";

for (const { option, commands, instead } of REMOVED_OPTIONS) {
  for (const command of COMMANDS.filter((name) => commands.includes(name))) {
    test(`${command} --${option} ends with 2, and says what replaces it`, async () => {
      const { code, stdout, stderr } = await run(command, [`--${option}`, "value"]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toBe(`error: version 0.3.0 removed the option --${option}. ${instead}\n`);
    });
  }
}
