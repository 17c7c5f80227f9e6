/** A misspelt key, value or name in a file of a service is refused with its line and the nearest name. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { loadContract } from "../../../helpers/contract/load.ts";
import { schemasFolder } from "../../../helpers/contract/services.ts";
import { ROOT, temporary } from "../support/command.ts";

const MISTAKES = parse(readFileSync(join(ROOT, "tests/self/contract/mistakes.yaml"), "utf8")) as Readonly<
  Record<string, readonly string[]>
>;

/** A row of relations that needs more keys. */
const FILTER =
  "- { kind: filter, requirement: sequences.plans-apart, operations: [getMerchantParticipations],";

for (const [file, mistakes] of Object.entries(MISTAKES)) {
  const [service = "", ...path] = file.split("/");
  for (const mistake of mistakes) {
    const [right = "", wrong = "", name, meant] = mistake.split(" | ");
    test(`${name} in ${file} is refused`, async () => {
      const folder = join(await temporary(), service);
      cpSync(schemasFolder(service), folder, { recursive: true });
      const text = readFileSync(join(folder, ...path), "utf8");
      const line = text.slice(0, text.indexOf(right)).split("\n").length;
      const written = wrong.startsWith("FILTER") ? `${wrong.replace("FILTER", FILTER)}\n${right}` : wrong;
      writeFileSync(join(folder, ...path), text.replace(right, written));
      const loaded = loadContract(service, { folder }).then(() => "loaded");
      const message = await loaded.catch((error: Error) => error.message);
      expect([text, message]).toEqual([
        expect.stringContaining(right),
        expect.stringContaining(`${file}:${line}:`),
      ]);
      expect(message.split(`"${name}". Did you mean `)[1]?.split(/ or |\?/)).toContain(meant);
    });
  }
}
