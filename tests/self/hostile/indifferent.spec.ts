/** A server that gives every request the same answer passes nothing, for each service. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { run, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { environmentFor } from "./canary-secrets.ts";
import { hostileServer } from "./hostile-server.ts";
import { judge } from "./judged.ts";
import { always } from "./mode.ts";

test.afterEach(closeAll);

const BODIES = ["", "{}", '{"code":16,"status":"UNAUTHENTICATED","message":"No.","details":[]}'];

const ANSWERS = [200, 401, 404].flatMap((status) => BODIES.map((body) => ({ status, body })));

const passedIn = (certificate: Certificate | undefined) =>
  certificate?.requirements.filter(({ verdict }) => verdict === "passed").map(({ id }) => id) ?? [];

for (const service of services()) {
  for (const { status, body } of ANSWERS) {
    test(`${service}: ${status} for all, with ${body || "no body"}, passes nothing`, LONG, async () => {
      const origin = await hostileServer("http://127.0.0.1:9", always(status, body));
      const out = await temporary();
      const args = ["--target", "indifferent", "--service", service, "--out", out];
      const { code } = await run("certify", args, environmentFor(origin));
      expect([1, 2, 3]).toContain(code);
      expect(passedIn(readCertificate(out))).toEqual([]);
    });
  }

  test(
    `${service}: without an examination before the run, such a server passes nothing either`,
    LONG,
    async () => {
      const contract = await loadContract(service);
      const trials = await trialsOf(contract);
      const sandbox = await startSandbox({ contracts: [contract] });
      for (const { status, body } of ANSWERS) {
        const judging = { contract, trials, sandbox, isWhole: true };
        const { certificate } = await judge(judging, always(status, body));
        expect(passedIn(certificate), `${status} ${body}`).toEqual([]);
      }
      await sandbox.close();
    },
  );
}
