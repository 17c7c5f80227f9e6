/** The certificate that is generated at the start serves HTTPS, and each certificate has its own key. */
import { X509Certificate } from "node:crypto";
import { expect, test } from "@playwright/test";
import { Agent, request } from "undici";
import { openReceiver } from "../../../helpers/flows/receiver.ts";
import { selfSigned } from "../../../helpers/flows/self-signed.ts";

test("a certificate names its host and is signed with its own key", () => {
  const certificate = new X509Certificate(selfSigned("receiver.test").cert);
  expect(certificate.subject).toBe("CN=receiver.test");
  expect(certificate.issuer).toBe(certificate.subject);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  const other = new X509Certificate(selfSigned("receiver.test").cert);
  expect(certificate.verify(other.publicKey)).toBe(false);
});

test("a receiver with a self-signed certificate is reachable over HTTPS", async () => {
  const receiver = await openReceiver({ tls: selfSigned("receiver.test") });
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const { statusCode } = await request(receiver.url, { method: "POST", body: "{}", dispatcher });
    expect(statusCode).toBe(204);
    expect(receiver.deliveries).toHaveLength(1);
  } finally {
    await dispatcher.close();
    await receiver.close();
  }
});
