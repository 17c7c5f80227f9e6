/** Wrong clients of financial data: log-ins, tokens and other credentials. */
import { header, url } from "../../habits.ts";
import type { WrongClient } from "../../setting.ts";
import { createClient } from "../client.ts";
import * as scenes from "../scenes.ts";
import { again, browsing, oneRequest, query, type Scene, wrong } from "./wrong-client.ts";

const REUSED = "auth.single-token-reused";
const RENEWED = "auth.token-renewed-after-90-minutes";
const REPLACED = "caller.refused-token-replaced";
const NEEDED = "auth.token-needed-on-all-other-calls";
const KEY = "auth.header.Partner-App-Key";
const URLS = "caller.no-secret-in-url";

/** Reads something with a time of 91 minutes before the last read. */
const afterLongPause: Scene = async (one) => {
  await scenes.browse(one, 2);
  await one.setting.clock.sleep(91 * 60);
  await scenes.browse(one, 4);
};

const oneRead = (times: number): Scene =>
  again(times, (one) => one.call("GET", "/institution/v2/institutions/613734"));

export const tokens: readonly WrongClient[] = [
  wrong("a log-in before each call", REUSED, browsing(4), [], { logsInPerCall: true }),
  wrong("a log-in before each of many calls", REUSED, browsing(9), [], { logsInPerCall: true }),
  wrong(
    "a log-in before every second call",
    REUSED,
    again(6, (one) => scenes.browse(createClient(one.setting), 2)),
  ),
  wrong("a log-in for each of several calls at once", REUSED, async (one) => {
    await Promise.all(Array.from({ length: 6 }, () => scenes.browse(createClient(one.setting), 1)));
    await scenes.browse(one, 8);
  }),
  wrong("a token without end", RENEWED, afterLongPause, [], { renewAfter: Number.POSITIVE_INFINITY }),
  wrong("a token for 115 minutes", RENEWED, afterLongPause, [], { renewAfter: 115 }),
  wrong("a refused token", REPLACED, browsing(6), ["token-ends"], { logInsAfterRefusal: 0 }),
  wrong("a refused token, at once and again and again", REPLACED, oneRead(4), ["token-ends"], {
    logInsAfterRefusal: 0,
    pauseAfterRefusal: 0,
  }),
  wrong("three tokens after a refusal", REPLACED, browsing(6), ["token-ends"], { logInsAfterRefusal: 3 }),
  wrong("five failed log-ins", "caller.failed-log-ins", browsing(1), [], {
    logInAttempts: 5,
    secret: () => "not-the-secret-1",
  }),
  wrong("a customer without a token", "flow.authenticate-then-enroll", scenes.newCustomer, [], {
    logsIn: false,
  }),
  wrong("calls without a token", NEEDED, browsing(1), [], { logsIn: false }),
  wrong("an empty token after a refused log-in", NEEDED, afterLongPause, ["log-in-fails"], {
    takesRefusals: true,
  }),
  wrong("calls without an app key", KEY, browsing(1), [], { request: header("partner-app-key", undefined) }),
  wrong("an undefined token", NEEDED, browsing(1), [], { request: header("partner-app-token", "undefined") }),
  wrong("null as app key", KEY, oneRead(1), [], {
    logsIn: false,
    request: header("partner-app-key", "null"),
  }),
  wrong("a body as text", "CreateToken.request-body", browsing(1), [], {
    request: header("content-type", "text/plain"),
  }),
  wrong("the token in the URL under another name", URLS, browsing(2), [], {
    request: url((asked, headers) => `${asked}?session=${headers["partner-app-token"] ?? ""}`),
  }),
  wrong("the token in the URL", URLS, browsing(1), [], { request: query("token=0123456789") }),
  wrong("the app key in the URL", URLS, browsing(1), [], { request: query("app_key=0123456789") }),
  wrong(
    "no credentials in the log-in",
    "CreateToken.request.shape",
    oneRequest("POST", "/aggregation/v2/partners/authentication", {}),
  ),
];
