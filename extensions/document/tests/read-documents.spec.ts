/** Documents that are hard to read, each with a right server and wrong ones that read it by code of their own. */
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
const within = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
const inTurns = (text: string): Record<string, string | undefined> => {
  const parts = text.split(",");
  return Object.fromEntries(
    parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]]] : [])),
  );
};
const assigned = (text: string, between: string): Record<string, string | undefined> =>
  Object.fromEntries(text.split(between).map((part) => part.split("=") as [string, string]));

const PARAMETERS: Served = {
  accepts({ url = "", headers }, _body, mistake) {
    const { pathname, searchParams: query } = new URL(url, "http://127.0.0.1");
    const [, kind = "", raw = ""] = pathname.split("/");
    const text = decodeURIComponent(raw);
    if (kind === mistake) return true;
    if (kind === "zones") {
      const { x, k } = inTurns(text);
      return within(whole(x), 1, 9) && [undefined, "a", "b"].includes(k);
    }
    if (kind === "m") return text.startsWith(";") && within(whole(assigned(text.slice(1), ";").x), 1, 9);
    if (kind === "l") return [".red", ".blue"].includes(text);
    if (kind === "ll") return /^(?:\.[a-z]{3}){1,3}$/.test(text);
    if (kind === "ml") {
      const items = text.startsWith(";c=") ? text.slice(3).split(",").map(whole) : [];
      return within(items.length, 2, 3) && items.every((item) => within(item, 1, 9));
    }
    if (kind === "q") {
      const pair = whole(inTurns(query.get("pair") ?? "").p);
      const age = query.get("age");
      const items = query.get("sp")?.split("|").map(whole) ?? [];
      return (
        ["admin", "guest"].includes(query.get("role") ?? "") &&
        (age === null || whole(age) >= 1) &&
        pair <= 5 &&
        items.every((item) => item <= 5)
      );
    }
    const { session = "", n } = assigned(headers.cookie ?? "", "; ");
    const { role = "" } = assigned(String(headers["x-who"] ?? ""), ",");
    return (
      ["admin", "guest"].includes(role) &&
      /^[a-z]{3,8}$/.test(session) &&
      (n === undefined || within(whole(n), 1, 5))
    );
  },
};

/** @param takesNull how the server reads `nullable` beside a list without null */
const values = (takesNull: boolean, headers: Served["headers"]): Served => ({
  accepts(_request, body, mistake) {
    const { choice, other, word, behind, posix } = fieldsIn(body);
    const isText = (value: unknown, pattern: RegExp): boolean =>
      value === undefined || (typeof value === "string" && pattern.test(value));
    return (
      (choice === "x" || choice === "y" || (takesNull && choice === null)) &&
      (other === undefined || within(other, 0, 9)) &&
      (mistake === "word" || isText(word, /^(?=.*[A-Z])(?=.*\d)[A-Za-z\d]{8,}$/)) &&
      isText(behind, /(?<=a)b/) &&
      isText(posix, /^[a-z]+$/i)
    );
  },
  answer: () => ["application/json", JSON.stringify({ choice: takesNull ? null : "x", id: "1" })],
  ...(headers && { headers }),
});

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

const VALUES = values(true, { "x-count": "3" });
const X_COUNT = "addValue.response.header.x-count";
const CONDITIONS = conditions('{"left":1}');

const ROWS: readonly (readonly [
  document: string,
  what: string,
  served: Served,
  mistake: string,
  found?: string,
])[] = [
  ["parameters", "that is right", PARAMETERS, ""],
  ["parameters", "that reads no object in a path", PARAMETERS, "zones", "pathPairs.parameter.zone.x.minimum"],
  ["parameters", "that reads no label", PARAMETERS, "l", "label.parameter.c.enum"],
  ["parameters", "that reads no list of labels", PARAMETERS, "ll", "labelList.parameter.c.pattern"],
  ["parameters", "that reads no cookie", PARAMETERS, "h", "headersAndCookies.parameter.session.pattern"],
  ["values", "that takes null", VALUES, ""],
  ["values", "that takes no null", values(false, { "x-count": "3" }), ""],
  ["values", "that checks no pattern", VALUES, "word", "addValue.request.word.pattern"],
  ["values", "without a header", values(true, undefined), "", X_COUNT],
  ["values", "with no number in a header", values(true, { "x-count": "many" }), "", X_COUNT],
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

const KNOWN = /^\/(?:zones|m|l|ll|ml|q|h|values|untyped|text|notes|forms)(?:[/?]|$)/;

const UNREAD = ["values.addValue.request.posix.pattern", "values.addValue.response.posix.pattern"];

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
      expect(saying(/ECMA-262/)).toEqual(document === "values" ? UNREAD : []);
    },
  );
}
