/** Real clients as programs, each with the HTTP library of its users: all exercises convict none of them. */
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { run, temporary } from "../../../tests/self/support/command.ts";
import { LONG } from "../../../tests/self/support/lanes.ts";

const require = createRequire(import.meta.url);

/** Functions that send one request by a library, and return status, headers and text. */
const SENDERS: Readonly<Record<string, string>> = {
  undici: `import { request } from ${JSON.stringify(require.resolve("undici"))};
const send = async (method, url, headers, body) => {
  const answer = await request(url, { method, headers, body });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
};`,
  axios: `import axios from ${JSON.stringify(require.resolve("axios"))};
const send = async (method, url, headers, data) => {
  const options = { method, url, headers, data, validateStatus: () => true, transformResponse: (text) => text };
  const answer = await axios.request(options);
  return { status: answer.status, headers: answer.headers, text: String(answer.data ?? "") };
};`,
};

const inJavaScript = (sender: string): string => `${sender}
const { ASSAY_CLOCK: clock, FINANCIAL_DATA_BASE_URL: base, ...settings } = process.env;
const now = async () => (await (await fetch(clock)).json()).now;
const sleep = async (seconds) => {
  await fetch(clock + "?until=" + ((await now()) + seconds * 1000), { method: "POST" });
};
let token;
const logIn = async () => {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const body = JSON.stringify({
      partnerId: settings.FINANCIAL_DATA_PARTNER_ID,
      partnerSecret: settings.FINANCIAL_DATA_PARTNER_SECRET,
    });
    const headers = { "partner-app-key": settings.FINANCIAL_DATA_APP_KEY, "content-type": "application/json" };
    const { status, text } = await send("POST", base + "/aggregation/v2/partners/authentication", headers, body);
    if (status === 200) return { value: JSON.parse(text).token, at: await now() };
    await sleep(5);
  }
  throw new Error("no token");
};
const call = async (method, path, json, look) => {
  const body = json && JSON.stringify(json);
  for (let attempt = 0; attempt < 6; attempt += 1) {
    if (!token || (await now()) - token.at > 90 * 60_000) token = await logIn();
    const headers = { "partner-app-key": settings.FINANCIAL_DATA_APP_KEY, "partner-app-token": token.value };
    if (body) headers["content-type"] = "application/json";
    const answer = await send(method, base + path, headers, body).catch(() => ({ status: 0, headers: {} }));
    if (answer.status === 401) token = undefined;
    else if (![0, 429, 500, 503, 504].includes(answer.status)) return answer.text ? JSON.parse(answer.text) : {};
    else await sleep(Number(answer.headers["retry-after"] ?? 1));
    if (look && [0, 500, 504].includes(answer.status)) await look();
  }
  throw new Error(method + " " + path + " failed");
};
const listCustomers = async () => {
  for (let start = 1; ; start += 5) {
    const { moreAvailable } = await call("GET", "/aggregation/v1/customers?start=" + start + "&limit=5");
    if (!moreAvailable) return;
  }
};
const browse = async (times) => {
  for (let time = 0; time < times; time += 1) await call("GET", "/institution/v2/institutions/" + (613734 + (time % 4)));
};
await browse(16);
for (let time = 0; time < 3; time += 1) await listCustomers();
const customer = { username: "robin" + Date.now(), firstName: "Robin", lastName: "Meadow" };
await call("POST", "/aggregation/v2/customers/testing", customer, listCustomers);
await sleep(91 * 60);
await browse(8);
`;

const IN_PYTHON = `
import json, os, time, urllib.error, urllib.request
env = os.environ
base, clock = env["FINANCIAL_DATA_BASE_URL"], env["ASSAY_CLOCK"]
token = None

def send(method, url, headers, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()

def now():
    return json.loads(send("GET", clock, {})[2])["now"]

def sleep(seconds):
    send("POST", "%s?until=%d" % (clock, now() + seconds * 1000), {}, {})

def log_in():
    body = {"partnerId": env["FINANCIAL_DATA_PARTNER_ID"], "partnerSecret": env["FINANCIAL_DATA_PARTNER_SECRET"]}
    headers = {"Partner-App-Key": env["FINANCIAL_DATA_APP_KEY"], "Content-Type": "application/json"}
    for attempt in range(3):
        status, _, text = send("POST", base + "/aggregation/v2/partners/authentication", headers, body)
        if status == 200:
            return json.loads(text)["token"], now()
        sleep(5)
    raise SystemExit("no token")

def call(method, path, body=None, look=None):
    global token
    for attempt in range(6):
        if token is None or now() - token[1] > 90 * 60000:
            token = log_in()
        headers = {"Partner-App-Key": env["FINANCIAL_DATA_APP_KEY"], "Partner-App-Token": token[0]}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            status, answered, text = send(method, base + path, headers, body)
        except Exception:
            status, answered, text = 0, {}, ""
        if status == 401:
            token = None
        elif status not in (0, 429, 500, 503, 504):
            return json.loads(text) if text else {}
        else:
            sleep(int(answered.get("Retry-After") or 1))
        if look and status in (0, 500, 504):
            look()
    raise SystemExit(method + " " + path + " failed")

def list_customers():
    start = 1
    while call("GET", "/aggregation/v1/customers?start=%d&limit=5" % start).get("moreAvailable"):
        start += 5

def browse(times):
    for index in range(times):
        call("GET", "/institution/v2/institutions/%d" % (613734 + index % 4))

browse(16)
for _ in range(3):
    list_customers()
customer = {"username": "robin%d" % time.time(), "firstName": "Robin", "lastName": "Meadow"}
call("POST", "/aggregation/v2/customers/testing", customer, list_customers)
sleep(91 * 60)
browse(8)
`;

interface Program {
  readonly name: string;
  readonly command: string;
  readonly file: string;
  readonly text: string;
}

const PROGRAMS: readonly Program[] = [
  ...Object.entries(SENDERS).map(([name, sender]) => ({
    ...{ name, command: process.execPath, file: "client.mjs", text: inJavaScript(sender) },
  })),
  // Not every machine has Python.
  ...(spawnSync("python3", ["--version"]).status === 0
    ? [{ name: "urllib of Python", command: "python3", file: "client.py", text: IN_PYTHON }]
    : []),
];

for (const { name, command, file, text } of PROGRAMS) {
  test(`a right client with ${name} gets through all exercises`, LONG, async () => {
    const folder = await temporary();
    const program = join(folder, file);
    await writeFile(program, text);
    const out = join(folder, "results");
    const args = ["--service", "financial-data", "--exercise", "all", "--out", out];
    const ended = await run("proxy", [...args, "--", command, program]);
    expect(ended.stdout).not.toContain(": not survived");
    expect(ended.stdout).toContain("exercise financial-data.token-ends: survived");
    expect(readCertificate(out)?.findings).toEqual([]);
    expect(ended.code).toBe(0);
  });
}
