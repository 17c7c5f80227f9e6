/** Right servers of `drafts.yaml` with other entity tags than the sandbox has, whose faults `any-service.spec.ts` tries. */
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { hostileService } from "../../../tests/self/hostile/hostile-server.ts";
import { startMock } from "../../../tests/self/support/command.ts";
import { isInSample, LONG } from "../../../tests/self/support/lanes.ts";
import { closeAll } from "../../../tests/self/support/loopback.ts";
import { certifyDocument, FREE } from "./support/certified-document.ts";

const DOCUMENT = fileURLToPath(new URL("./documents/drafts.yaml", import.meta.url));

test.afterEach(closeAll);

interface Manner {
  /** The tag that is shown in the place of the sandbox's. */
  shown(tag: string): string | undefined;
  /** The tag with which the sandbox compares in a read with a condition. A change is compared with what is sent. */
  read?(sent: string): string;
}

const ROWS: readonly (readonly [what: string, manner: Manner])[] = [
  [
    "has weak tags, which fulfil no condition of a change",
    { shown: (tag) => `W/${tag}`, read: (sent) => sent.replace("W/", "") },
  ],
  ["has no tags", { shown: () => undefined }],
  ["has tags of the time of the answer", { shown: () => `"${process.hrtime.bigint()}"` }],
  ["always answers with the content", { shown: (tag) => tag, read: () => '"of-nothing"' }],
];

for (const [index, [what, { shown, read = (sent: string) => sent }]] of ROWS.entries())
  test(`a server that ${what} deviates from nothing`, isInSample(index, 2) ? {} : LONG, async () => {
    const mock = await startMock(["--plain", "--document", DOCUMENT]);
    const url = await hostileService(mock.baseUrls.drafts, async ({ headers }, correct) => {
      const { "if-none-match": sent } = headers;
      const reply = await correct(sent === undefined ? {} : { "if-none-match": read(sent) });
      const { etag = "", ...others } = reply.headers;
      const tag = etag === "" ? undefined : shown(String(etag));
      return { ...reply, headers: { ...others, ...(tag !== undefined && { etag: tag }) } };
    });
    const { deviating } = await certifyDocument(DOCUMENT, url, [], FREE);
    await mock.stop();
    expect(deviating).toEqual([]);
  });
