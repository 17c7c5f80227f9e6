/**
 * The route to which the sandbox is compared: `node bare.ts FILE`. It reads each request as the sandbox does, and gives
 * the recorded answer that the request names. FILE contains `RecordedAnswer[]`.
 */
import { readFile } from "node:fs/promises";
import fastify from "fastify";
import { ANSWER_HEADER, ANY_PORT } from "./tools.ts";

export interface RecordedAnswer {
  readonly status: number;
  /** Empty if the answer has no content type. */
  readonly type: string;
  /** One character for each octet. */
  readonly body: string;
}

const recorded = JSON.parse(await readFile(process.argv[2] ?? "", "utf8")) as RecordedAnswer[];
const answers = recorded.map(({ body, ...head }) => ({ ...head, body: Buffer.from(body, "latin1") }));
const app = fastify({ forceCloseConnections: true });
app.removeAllContentTypeParsers();
app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
app.all("/*", (request, reply) => {
  const answer = answers[Number(request.headers[ANSWER_HEADER])];
  if (answer === undefined) return reply.code(404).send();
  return reply
    .code(answer.status)
    .type(answer.type || "application/json")
    .send(answer.body);
});
const origin = await app.listen({ host: "127.0.0.1", port: ANY_PORT });
// The benchmark may end this process as soon as it has read the addresses.
process.once("SIGTERM", () => void app.close());
process.stdout.write(`${JSON.stringify({ baseUrls: { bare: origin }, environment: {} })}\n`);
