/**
 * Two documents that are hard to read, each with a right server and wrong ones that read it by code of their own. The
 * generated documents have parameters in each style, null and foreign patterns.
 */
import type http from "node:http";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { LONG, PROOF } from "../../../tests/self/support/lanes.ts";
import { closeAll, fieldsIn, textOf, web } from "../../../tests/self/support/loopback.ts";
import { certifyDocument, FREE } from "./support/certified-document.ts";

test.afterEach(closeAll);

/** Whether a server accepts a request, and the answer to an accepted one. */
interface Served {
  accepts(request: http.IncomingMessage, body: string, mistake: string): boolean;
  /** Media type and body. */
  answer?(request: http.IncomingMessage): readonly [type: string, body: string] | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  status?(request: http.IncomingMessage, isAccepted: boolean): number;
  readonly id?: string;
}

const whole = (text: string | null | undefined): number =>
  /^-?\d+$/.test(text ?? "") ? Number(text) : Number.NaN;

/** Bodies that only their whole schema describes. */
const untyped = (json: string, text: string): Served => ({
  accepts: () => true,
  answer: ({ url }) => (url === "/text" ? ["text/plain", text] : ["application/json", json]),
});

const isLabel = ([name, value]: [string, unknown], mistake: string): boolean =>
  /^x-[a-z]+$/.test(name) && (mistake === "labels" || Number.isInteger(value));

/** The note that `--id` names: without it, the server refuses to change it. */
const KEPT = "/notes/abcdef";

/** @param left the value of a header that is JSON */
const conditions = (left: string, thanks = '{"constructor":"form"}', notes = new Set([KEPT])): Served => ({
  accepts({ url = "", headers, method }, sent, mistake) {
    if (method === "DELETE") return notes.delete(url);
    if (url === "/forms") {
      const form = new URLSearchParams(sent);
      const [name, size] = [form.get("name"), form.get("size")];
      // No body and an empty form look alike.
      return sent === "" || (name !== null && [...name].length <= 5 && (size === null || whole(size) >= 1));
    }
    const { text, labels = {} } = fieldsIn(sent);
    return (
      (headers["if-match"] === "*" ||
        mistake === "condition" ||
        (mistake === "state" && headers["if-match"] !== undefined)) &&
      /^\/notes\/[a-z]{4,8}$/.test(url) &&
      (url !== KEPT || notes.has(KEPT)) &&
      (text === null ? mistake !== "null" : typeof text === "string" && [...text].length <= 5) &&
      typeof labels === "object" &&
      labels !== null &&
      !Array.isArray(labels) &&
      Object.entries(labels).every((label) => isLabel(label, mistake))
    );
  },
  answer: ({ url }) => (url === "/forms" ? ["application/json", thanks] : undefined),
  headers: { "x-rate": left },
  id: "note=abcdef",
  status({ url, headers, method }, isAccepted) {
    if (method === "DELETE") return isAccepted ? 204 : 404;
    if (isAccepted) return url === "/forms" ? 200 : 201;
    if (url !== "/forms" && headers["if-match"] !== "*") return headers["if-match"] === undefined ? 428 : 412;
    return headers["content-type"] === undefined ? 415 : 400;
  },
});

const CONDITIONS = conditions('{"left":1}');

const ROWS: readonly (readonly [
  document: string,
  what: string,
  served: Served,
  mistake: string,
  found?: string,
])[] = [
  ["untyped", "that is right", untyped("{}", "hello there"), ""],
  [
    "untyped",
    "with a forbidden property",
    untyped('{"forbidden":1}', "hello"),
    "",
    "getUntyped.response.body",
  ],
  ["untyped", "with another text", untyped("{}", "HELLO"), "", "getText.response.text"],
  ["conditions", "that is right", CONDITIONS, ""],
  ["conditions", "that refuses null", CONDITIONS, "null", "putNote.request.body"],
  ["conditions", "that needs no condition", CONDITIONS, "condition", "putNote.parameter.If-Match.required"],
  [
    "conditions",
    "that accepts the condition of another state",
    CONDITIONS,
    "state",
    "putNote.stale-condition",
  ],
  ["conditions", "that checks no property of a pattern", CONDITIONS, "labels", "putNote.request.body"],
  ["conditions", "with other JSON in a header", conditions("{}"), "", "putNote.response.header.x-rate"],
  [
    "conditions",
    "without a property that each object inherits",
    conditions('{"left":1}', "{}"),
    "",
    "sendForm.response.constructor.required",
  ],
];

const KNOWN = /^\/(?:untyped|text|notes|forms)(?:[/?]|$)/;

for (const [index, [document, what, served, mistake, found]] of ROWS.entries()) {
  test(
    `a server of ${document} ${what} is ${found === undefined ? "certified" : "found"}`,
    index % 5 === 0 ? PROOF : LONG,
    async () => {
      const url = await web(async (request, response) => {
        const sent = await textOf(request);
        if (!KNOWN.test(request.url ?? "")) return response.writeHead(404).end();
        const isAccepted = served.accepts(request, sent, mistake);
        const status = served.status?.(request, isAccepted) ?? (isAccepted ? 200 : 400);
        if (!isAccepted) return response.writeHead(status).end();
        const [type, body] = served.answer?.(request) ?? [];
        return response
          .writeHead(status, { ...(type && { "content-type": type }), ...served.headers })
          .end(body);
      });
      const file = fileURLToPath(new URL(`./unusual/${document}.yaml`, import.meta.url));
      const id = served.id === undefined ? [] : ["--id", served.id];
      const told = await certifyDocument(file, url, ["--depth", "quick", ...id], FREE);
      const violated = told.deviating.filter((one) => !one.startsWith("advisory"));
      if (found === undefined) expect(violated).toEqual([]);
      else expect(violated).toContainEqual(expect.stringMatching(` ${document}.${found}$`));
      const saying = (reason: RegExp) =>
        told.certificate.requirements.filter((one) => reason.test(one.reason ?? "")).map((one) => one.id);
      expect(saying(/keeps the one that --id names/).length > 0).toBe(document === "conditions");
    },
  );
}
