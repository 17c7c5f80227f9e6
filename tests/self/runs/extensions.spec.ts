/** An extension can be taken away: a copy of the checkout without it certifies as before, and says what is missing. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { copyOfCheckout } from "../support/checkout.ts";
import { type Command, ROOT, run, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";

/** What users ask of each extension: a command, its arguments, and what it says is missing. */
const ASKED: Readonly<Record<string, readonly (readonly [Command, string, string])[]>> = {
  client: [
    ["proxy", "--port 0", "proxy is missing"],
    ["judge", "traffic.har", "judge is missing"],
    ["certify", "--listener http://127.0.0.1:1 --kind webhook", "extensions/client is missing"],
    ["mock", "--record http://127.0.0.1:1", "extensions/client is missing"],
    ["mutation", "--half listener --service installments", "extensions/client is missing"],
  ],
  diff: [
    ["diff", "old.yaml new.yaml", "diff is missing"],
    ["certify", "--since old.yaml --contract installments=new.yaml", "extensions/diff is missing"],
  ],
  document: [
    ["new-service", "rooms --from rooms.yaml", "new-service is missing"],
    ["certify", "--document rooms.yaml", "extensions/document is missing"],
    ["requirements", "--document=rooms.yaml", "extensions/document is missing"],
  ],
};

const verdictsOf = async (root: string): Promise<readonly string[]> => {
  const out = await temporary();
  const { code } = await run("certify", ["--depth", "quick", "--out", out], {}, root);
  const { requirements = [] } = readCertificate(out) ?? {};
  return [`exit code ${code}`, ...requirements.map(({ id, verdict }) => `${verdict} ${id}`)];
};

/** Does something in a copy of the checkout without extensions. */
const without = async (names: readonly string[], act: (root: string) => Promise<void>): Promise<void> => {
  test.slow();
  const root = await copyOfCheckout();
  for (const name of names) await rm(join(root, "extensions", name), { recursive: true });
  await act(root);
  await rm(root, { recursive: true });
};

for (const names of [...Object.keys(ASKED).map((name) => [name]), ["client", "diff"], Object.keys(ASKED)]) {
  test(`without ${names.join(" and ")}, the checks and the quick lane of what is left pass`, LONG, () =>
    without(names, async (root) => {
      const { stdout } = await run("check", [], {}, root);
      // Types, lint and house rules: the size is measured in a clone, and parts of the core serve extensions only.
      expect(stdout.match(/^✓ (?:types|lint|house rules)/gm)).toHaveLength(4);
      const quick = await run("test", ["--project", "quick"], {}, root);
      expect(quick.stdout).toMatch(/^\d{3,} passed, 0 failed$/m);
    }),
  );

  test(`without ${names.join(" and ")}, the verdicts are the same, and its commands are missing`, LONG, () =>
    without(names, async (root) => {
      const verdicts = await verdictsOf(root);
      expect(verdicts.length).toBeGreaterThan(1000);
      expect(verdicts).toEqual(await verdictsOf(ROOT));
      for (const [command, args, says] of names.flatMap((name) => ASKED[name] ?? [])) {
        const { code, stderr } = await run(command, args.split(" "), {}, root);
        expect([code, stderr.includes(says)], stderr).toEqual([2, true]);
      }
    }),
  );
}
