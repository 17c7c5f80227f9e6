/** Every seed certifies the correct sandbox: there is no false alarm. */
import { expect, test } from "@playwright/test";
import { certify } from "../support/command.ts";
import { LONG, PROOF, sizeInLane } from "../support/lanes.ts";

/** The permitted reasons for not trying a requirement on the sandbox, which has everything that a test may need. */
const NOT_OURS = [
  "not observable",
  "obliges the caller",
  "obliges the listener",
  "obliges the issuer, which is our receiver here",
  "needs an experience whose brand, color, logo and icon are known: no response contains them",
  "the operation is still served, which the document also allows: this is only a remark",
  "the date from which on a purpose code is required has come",
  "the suite leaves out `minimum`: no first index is shown",
  "the suite leaves out `minimum`: no smallest page is shown",
  "the suite leaves out `maximum`: no largest page is shown",
];

for (let seed = 1; seed <= 20; seed++) {
  test(`a run with seed ${seed} is certified`, seed === 1 ? PROOF : LONG, async () => {
    const size = sizeInLane({
      sample: { args: ["--service", "installments"], passed: 60 },
      full: { args: [], passed: 1_400 },
    });
    const { code, certificate } = await certify(["--seed", String(seed), ...size.args]);
    expect([code, certificate.outcome]).toEqual([0, "certified"]);
    const others = certificate.requirements.filter(({ verdict }) => verdict !== "passed");
    expect(others.filter(({ reason }) => !NOT_OURS.includes(reason ?? ""))).toEqual([]);
    expect(certificate.summary.passed).toBeGreaterThan(size.passed);
  });
}
