/** A server that gives every request the same answer passes nothing, for each service. */
import { expect, test } from "@playwright/test";
import { services } from "../../../helpers/contract/services.ts";
import { readCertificate } from "../../../reports/certificate-file.ts";
import { run, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { environmentFor } from "./canary-secrets.ts";
import { hostileServer } from "./hostile-server.ts";
import { always } from "./mode.ts";

test.afterEach(closeAll);

const BODIES = ["", "{}", '{"code":16,"status":"UNAUTHENTICATED","message":"No.","details":[]}'];

for (const service of services()) {
  for (const status of [200, 401, 404]) {
    for (const body of BODIES) {
      test(`${service}: ${status} for all, with ${body || "no body"}, passes nothing`, LONG, async () => {
        const origin = await hostileServer("http://127.0.0.1:9", always(status, body));
        const out = await temporary();
        const args = ["--target", "indifferent", "--service", service, "--out", out];
        const { code } = await run("certify", args, environmentFor(origin));
        expect([1, 2, 3]).toContain(code);
        const certificate = readCertificate(out);
        expect(certificate?.requirements.filter(({ verdict }) => verdict === "passed") ?? []).toEqual([]);
      });
    }
  }
}
