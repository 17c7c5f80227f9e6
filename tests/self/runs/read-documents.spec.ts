/** Documents that are hard to read, each with a right server and wrong ones that read it by code of their own. */
import type http from "node:http";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { certify } from "../support/command.ts";
import { LONG, PROOF } from "../support/lanes.ts";
import { closeAll, web } from "../support/loopback.ts";

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

const jsonOf = (text: string): Record<string, unknown> => {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** @param takesNull how the server reads `nullable` beside a list without null */
const values = (takesNull: boolean, headers: Served["headers"]): Served => ({
  accepts(_request, body, mistake) {
    const { choice, other, word, behind, posix } = jsonOf(body);
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
    const { text, labels = {} } = jsonOf(sent);
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

const COUNTED = { "x-count": "3" };

const ROWS: readonly (readonly [
  document: string,
  what: string,
  served: Served,
  mistake: string,
  found: RegExp | null,
])[] = [
  ["parameters", "that is right", PARAMETERS, "", null],
  [
    "parameters",
    "that reads no object in a path",
    PARAMETERS,
    "zones",
    /^parameters\.pathPairs\.parameter\.zone\.x\.minimum$/,
  ],
  ["parameters", "that reads no label", PARAMETERS, "l", /^parameters\.label\.parameter\.c\.enum$/],
  [
    "parameters",
    "that reads no list of labels",
    PARAMETERS,
    "ll",
    /^parameters\.labelList\.parameter\.c\.pattern$/,
  ],
  [
    "parameters",
    "that reads no cookie",
    PARAMETERS,
    "h",
    /^parameters\.headersAndCookies\.parameter\.session\.pattern$/,
  ],
  ["values", "that takes null", values(true, COUNTED), "", null],
  ["values", "that takes no null", values(false, COUNTED), "", null],
  [
    "values",
    "that checks no pattern",
    values(true, COUNTED),
    "word",
    /^values\.addValue\.request\.word\.pattern$/,
  ],
  [
    "values",
    "without a header",
    values(true, undefined),
    "",
    /^values\.addValue\.response\.header\.x-count$/,
  ],
  [
    "values",
    "with no number in a header",
    values(true, { "x-count": "many" }),
    "",
    /^values\.addValue\.response\.header\.x-count$/,
  ],
  ["untyped", "that is right", untyped("{}", "hello there"), "", null],
  [
    "untyped",
    "with a forbidden property",
    untyped('{"forbidden":1}', "hello"),
    "",
    /^untyped\.getUntyped\.response\.body$/,
  ],
  ["untyped", "with another text", untyped("{}", "HELLO"), "", /^untyped\.getText\.response\.text$/],
  ["conditions", "that is right", conditions('{"left":1}'), "", null],
  [
    "conditions",
    "that refuses null",
    conditions('{"left":1}'),
    "null",
    /^conditions\.putNote\.request\.body$/,
  ],
  [
    "conditions",
    "that needs no condition",
    conditions('{"left":1}'),
    "condition",
    /^conditions\.putNote\.parameter\.If-Match\.required$/,
  ],
  [
    "conditions",
    "that accepts the condition of another state",
    conditions('{"left":1}'),
    "state",
    /^conditions\.putNote\.stale-condition$/,
  ],
  [
    "conditions",
    "that checks no property of a pattern",
    conditions('{"left":1}'),
    "labels",
    /^conditions\.putNote\.request\.body$/,
  ],
  [
    "conditions",
    "with other JSON in a header",
    conditions("{}"),
    "",
    /^conditions\.putNote\.response\.header\.x-rate$/,
  ],
  [
    "conditions",
    "without a property that each object inherits",
    conditions('{"left":1}', "{}"),
    "",
    /^conditions\.sendForm\.response\.constructor\.required$/,
  ],
];

const KNOWN = /^\/(?:zones|m|l|ll|ml|q|h|values|untyped|text|notes|forms)(?:[/?]|$)/;

const UNREAD = ["values.addValue.request.posix.pattern", "values.addValue.response.posix.pattern"];

for (const [index, [document, what, served, mistake, found]] of ROWS.entries()) {
  test(
    `a server of ${document} ${what} is ${found === null ? "certified" : "found"}`,
    index % 5 === 0 ? PROOF : LONG,
    async () => {
      const url = await web((request, response) => {
        let sent = "";
        request.setEncoding("utf8").on("data", (text: string) => (sent += text));
        request.on("end", () => {
          if (!KNOWN.test(request.url ?? "")) return response.writeHead(404).end();
          const isAccepted = served.accepts(request, sent, mistake);
          const status = served.status?.(request, isAccepted) ?? (isAccepted ? 200 : 400);
          if (!isAccepted) return response.writeHead(status).end();
          const [type, body] = served.answer?.(request) ?? [];
          return response
            .writeHead(status, { ...(type && { "content-type": type }), ...served.headers })
            .end(body);
        });
      });
      const file = fileURLToPath(new URL(`./documents/${document}.yaml`, import.meta.url));
      const id = served.id === undefined ? [] : ["--id", served.id];
      const { certificate } = await certify(["--document", file, "--url", url, "--depth", "quick", ...id], {
        ALLOW_DESTRUCTIVE: "true",
      });
      const ids = certificate.requirements.flatMap(({ id, verdict }) =>
        verdict === "failed" || verdict === "blocked" ? [id] : [],
      );
      if (found === null) expect(ids).toEqual([]);
      else expect(ids).toContainEqual(expect.stringMatching(found));
      const kept = certificate.requirements.some(({ reason }) =>
        /keeps the one that --id names/.test(reason ?? ""),
      );
      expect(kept).toBe(document === "conditions");
      const unread = certificate.requirements.filter(({ reason }) => /ECMA-262/.test(reason ?? ""));
      expect(unread.map(({ id }) => id)).toEqual(document === "values" ? UNREAD : []);
    },
  );
}
