/** Wrong clients of financial data: log-ins, tokens and other credentials. */
import type { WrongClient } from "../../../callers/setting.ts";
import { createClient, type Habits } from "../client.ts";
import * as scenes from "../scenes.ts";
import { browsing, oneRequest, type Scene, wrongClient } from "./wrong-client.ts";

/** Reads something with a time of 91 minutes before the last read. */
const afterLongPause: Scene = async (one) => {
  await scenes.browse(one, 2);
  await one.setting.clock.sleep(91 * 60);
  await scenes.browse(one, 4);
};

const query = (name: string, value: string): Partial<Habits> => ({
  request: (sending) =>
    sending.url.includes("/institution/") ? { ...sending, url: `${sending.url}?${name}=${value}` } : sending,
});

const withoutHeader = (name: string): Partial<Habits> => ({
  request: (sending) => {
    const { [name]: _, ...headers } = sending.headers;
    return { ...sending, headers };
  },
});

/** Replaces the value of a header. */
const withHeader = (name: string, value: string): Partial<Habits> => ({
  request: (sending) =>
    sending.headers[name] === undefined
      ? sending
      : { ...sending, headers: { ...sending.headers, [name]: value } },
});

/** Sends one request several times. */
const oneRead =
  (times: number): Scene =>
  async (one) => {
    for (let time = 0; time < times; time += 1) await one.call("GET", "/institution/v2/institutions/613734");
  };

export const tokens: readonly WrongClient[] = [
  wrongClient("a log-in before each call", "auth.single-token-reused", browsing(4), {
    habits: { logsInPerCall: true },
  }),
  wrongClient("a log-in before each of many calls", "auth.single-token-reused", browsing(9), {
    habits: { logsInPerCall: true },
  }),
  wrongClient("a log-in before every second call", "auth.single-token-reused", async (one) => {
    for (let time = 0; time < 6; time += 1) await scenes.browse(createClient(one.setting), 2);
  }),
  wrongClient("a log-in for each of several calls at once", "auth.single-token-reused", async (one) => {
    await Promise.all(Array.from({ length: 6 }, () => scenes.browse(createClient(one.setting), 1)));
    await scenes.browse(one, 8);
  }),
  wrongClient("a token without end", "auth.token-renewed-after-90-minutes", afterLongPause, {
    habits: { renewAfter: Number.POSITIVE_INFINITY },
  }),
  wrongClient("a token for 115 minutes", "auth.token-renewed-after-90-minutes", afterLongPause, {
    habits: { renewAfter: 115 },
  }),
  wrongClient("a refused token", "caller.refused-token-replaced", browsing(6), {
    habits: { logInsAfterRefusal: 0 },
    exercises: ["token-ends"],
  }),
  wrongClient("a refused token, at once and again and again", "caller.refused-token-replaced", oneRead(4), {
    habits: { logInsAfterRefusal: 0, pauseAfterRefusal: 0 },
    exercises: ["token-ends"],
  }),
  wrongClient("three tokens after a refusal", "caller.refused-token-replaced", browsing(6), {
    habits: { logInsAfterRefusal: 3 },
    exercises: ["token-ends"],
  }),
  wrongClient("five failed log-ins", "caller.failed-log-ins", browsing(1), {
    habits: { logInAttempts: 5, secret: () => "not-the-secret-1" },
  }),
  wrongClient("a customer without a token", "flow.authenticate-then-enroll", scenes.newCustomer, {
    habits: { logsIn: false },
  }),
  wrongClient("calls without a token", "auth.token-needed-on-all-other-calls", browsing(1), {
    habits: { logsIn: false },
  }),
  wrongClient(
    "an empty token after a refused log-in",
    "auth.token-needed-on-all-other-calls",
    afterLongPause,
    {
      habits: { takesRefusals: true },
      exercises: ["log-in-fails"],
    },
  ),
  wrongClient("calls without an app key", "auth.header.Partner-App-Key", browsing(1), {
    habits: withoutHeader("partner-app-key"),
  }),
  wrongClient("an undefined token", "auth.token-needed-on-all-other-calls", browsing(1), {
    habits: withHeader("partner-app-token", "undefined"),
  }),
  wrongClient("null as app key", "auth.header.Partner-App-Key", oneRead(1), {
    habits: { logsIn: false, ...withHeader("partner-app-key", "null") },
  }),
  wrongClient("a body as text", "CreateToken.request-body", browsing(1), {
    habits: withHeader("content-type", "text/plain"),
  }),
  wrongClient("the token in the URL under another name", "caller.no-secret-in-url", browsing(2), {
    habits: {
      request: (sending) => ({
        ...sending,
        url: `${sending.url}?session=${sending.headers["partner-app-token"] ?? ""}`,
      }),
    },
  }),
  wrongClient("the token in the URL", "caller.no-secret-in-url", browsing(1), {
    habits: query("token", "0123456789"),
  }),
  wrongClient("the app key in the URL", "caller.no-secret-in-url", browsing(1), {
    habits: query("app_key", "0123456789"),
  }),
  wrongClient(
    "no credentials in the log-in",
    "CreateToken.request.shape",
    oneRequest("POST", "/aggregation/v2/partners/authentication", {}),
  ),
];
