/** Requests of other machines and of pages of other origins to the proxy. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { certified, openKeyFolder } from "../../../mocks/engine/gateway/keys.ts";
import { startSandbox } from "../../../mocks/sandbox.ts";
import { OUTSIDERS, statusOf } from "../../../tests/self/sandbox/daily/outsiders.ts";
import { CLOCK_PATH } from "../proxy/control.ts";
import { openRecording } from "../proxy/recording.ts";

test("only this machine commands the proxy", async () => {
  await using sandbox = await startSandbox({ services: ["installments"] });
  const base = sandbox.baseUrls.installments ?? "";
  const contracts = [await loadContract("installments")];
  const target = targetOf("test", { INSTALLMENTS_BASE_URL: base }, false);
  const recording = await openRecording({ target, contracts, port: 0 });
  const folder = openKeyFolder();
  const { certificatePem, privatePem } = certified({ name: "client" });
  const pem = folder.write("client.pem", certificatePem + privatePem);
  const values = { INSTALLMENTS_BASE_URL: base, INSTALLMENTS_CLIENT_CERTIFICATE: pem };
  const lending = await openRecording({ target: targetOf("test", values, false), contracts, port: 0 });
  const clock = `${recording.proxy.origin}${CLOCK_PATH}`;
  const { host: at } = new URL(base);
  for (const [from, host, command, read] of OUTSIDERS) {
    const headers = { host: at.replace("127.0.0.1", host), ...(from !== "-" && { origin: from }) };
    // The proxy listens on loopback only, and allows no name.
    const isNamed = host === "admin.example.com";
    const isOutside = isNamed || command === 403;
    expect(await statusOf(clock, "POST", headers), `${from} ${host}`).toBe(isOutside ? 403 : 200);
    const forwarded = ({ proxy }: typeof recording) =>
      statusOf(`${proxy.baseUrls.installments}/plans/none`, "GET", headers);
    expect(await forwarded(recording), `${from} ${host}`).toBe(isNamed || read === 403 ? 403 : 404);
    // No page of another origin borrows the certificate.
    expect(await forwarded(lending), `${from} ${host}`).toBe(isOutside ? 403 : 404);
  }
  folder.remove();
  await Promise.all([recording.end({}), lending.end({})]);
});
