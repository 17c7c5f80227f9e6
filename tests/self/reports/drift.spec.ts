/** Drift: what changed in the behaviour of a target since the baseline. */
import { expect, test } from "@playwright/test";
import { type AnswerForm, type Behaviour, ENOUGH } from "../../../helpers/behaviour/behaviour.ts";
import { changesBetween } from "../../../helpers/behaviour/drift.ts";
import { gapVerdicts } from "../../../helpers/behaviour/gaps.ts";
import { headerNames } from "../../../helpers/behaviour/header-names.ts";
import { createObserver } from "../../../helpers/behaviour/observer.ts";
import type { Gap } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { MADE_UP } from "../../../helpers/contract/names.ts";
import { services } from "../../../helpers/contract/services.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { compareCertificates } from "../../../reports/certificate/comparison.ts";
import { exitCodeOf } from "../../../reports/certificate/exit-code.ts";
import { observedBehaviour } from "../../../reports/certificate/gaps.ts";
import { contract, entry, facts, requirement, runInfo, trialResult } from "./reports-data.ts";

const CONTRACT = contract([requirement("a")]);
const TRIAL = "authentication";

interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const exchange = ({ status, json = {}, headers = {} }: Answer): Exchange => ({
  id: "w0-1",
  service: "card-enrollment",
  operationId: "putCard",
  request: { method: "POST", url: "http://127.0.0.1:1/cards", headers: {}, body: "{}" },
  requestJson: {},
  response: { status, headers, body: Buffer.from(JSON.stringify(json)), json },
  startedAt: new Date("2026-01-02T03:04:05Z"),
  durationMs: 1,
});

const RECORDER = {
  curl: ({ request }: Exchange) => `curl ${request.url}`,
  redact: (text: string) => text,
};

/** Returns the result of a trial that got this answer to an unknown key. */
const resultOf = (answer: Answer): TrialResult => {
  const observer = createObserver(CONTRACT, TRIAL, RECORDER);
  observer.see(exchange(answer), "an unknown key");
  const observed = { behaviour: observer.behaviour(), examples: observer.examples() };
  return trialResult([entry("a", "passed")], { trial: TRIAL, ...observed });
};

const certificateOf = (answer: Answer) => {
  const results = [resultOf(answer)];
  const observed = observedBehaviour([CONTRACT], results);
  const certificate = buildCertificate(runInfo(), [CONTRACT], results, facts());
  return { certificate: { ...certificate, ...observed?.parts }, examples: observed?.examples };
};

const compared = (before: Answer, now: Answer): Certificate => {
  const { certificate, examples } = certificateOf(now);
  return {
    ...certificate,
    comparison: compareCertificates(certificateOf(before).certificate, certificate, examples),
  };
};

const REFUSED = { status: 401, json: { message: "The key is unknown." } };

test("a changed answer is drift, with words, a request that shows it, and exit code 1", () => {
  const certificate = compared(REFUSED, { ...REFUSED, status: 403 });
  expect(certificate.comparison?.drift).toEqual([
    {
      observation: null,
      service: "card-enrollment",
      operations: ["putCard"],
      words: "an unknown key was answered 401, is now answered 403",
      before: ["401; The key is unknown."],
      now: ["403; The key is unknown."],
      curl: "curl http://127.0.0.1:1/cards",
    },
  ]);
  expect([exitCodeOf(certificate, "drift"), exitCodeOf(certificate, "regression")]).toEqual([1, 0]);
});

test("the same behaviour with other values is no drift", () => {
  const answer = (id: string, time: string) => ({
    status: 400,
    json: { id, time, message: `There is no card ${id}.` },
    headers: { date: time, "content-length": "40" },
  });
  const one = answer("0f8fad5b-d9cb-469f-a165-70867728950e", "2026-01-02T03:04:05Z");
  const other = answer("7c9e6679-7425-40de-944b-e07fc1f90ae7", "2027-11-12T13:14:15Z");
  const certificate = compared(one, other);
  expect(certificate.comparison?.drift).toEqual([]);
  expect(exitCodeOf(certificate, "drift")).toBe(0);
});

/** The change of an answer, and its words. */
const CHANGES: readonly (readonly [before: Answer, now: Answer, words: string])[] = [
  [
    REFUSED,
    { ...REFUSED, headers: { sunset: "soon" } },
    "the header sunset was never sent with 401, is now always sent",
  ],
  [
    { status: 200, json: { trace: "x" } },
    { status: 200, json: {} },
    "the field /trace in answers with 200 was always present, is now never present",
  ],
  [
    { status: 200, json: { at: "2026-01-02" } },
    { status: 200, json: { at: 17 } },
    "/at in answers with 200 was date, is now number",
  ],
  [
    { status: 200, json: { one: 1, two: 2 } },
    { status: 200, json: { two: 2, one: 1 } },
    "the fields of the body in answers with 200 have another order",
  ],
  [
    REFUSED,
    { ...REFUSED, json: { message: "Sorry." } },
    "an unknown key was answered 401; The key is unknown., is now answered 401; Sorry.",
  ],
];

for (const [before, now, words] of CHANGES) {
  test(`drift both ways: ${words}`, () => {
    expect(compared(before, now).comparison?.drift?.map((drift) => drift.words)).toContain(words);
    expect(compared(now, before).comparison?.drift?.length).toBeGreaterThan(0);
  });
}

test("a field that a probe has added, and that the server shows, is no drift", () => {
  const shown = { status: 200, json: { name: "x", [MADE_UP]: 1, [`${MADE_UP}3`]: {} } };
  expect(compared({ status: 200, json: { name: "x" } }, shown).comparison?.drift).toEqual([]);
});

test("a change in what refusals say is one drift with its first place", () => {
  const certificateWith = (text: string) => {
    const answers = Object.fromEntries(
      ["a missing name", "a long name"].map((tried) => [`names: ${tried}`, [`400; ${tried}; ${text}`]]),
    );
    const behaviour: Behaviour = { answers: { putCard: answers }, forms: {} };
    const results = [trialResult([entry("a", "passed")], { trial: TRIAL, behaviour, examples: {} })];
    const certificate = buildCertificate(runInfo(), [CONTRACT], results, facts());
    return { ...certificate, ...observedBehaviour([CONTRACT], results)?.parts };
  };
  const { drift } = compareCertificates(certificateWith("Refused."), certificateWith("Sorry."), {});
  expect(drift?.map(({ words }) => words)).toEqual([
    "a long name was answered 400; a long name; Refused., is now answered 400; a long name; Sorry.; the same in 1 more place",
  ]);
});

test("another word of a list is drift if enough answers have it", () => {
  const names = { always: ["status"], sometimes: [], required: [], unknown: [] };
  const behaviour = (word: string, instances: number): Behaviour => ({
    answers: { readCard: {} },
    forms: {
      readCard: {
        "200": { ...NO_FORM, objects: { "": { ...names, instances } }, values: { "/status": [word] } },
      },
    },
  });
  const changes = (before: string, now: string, instances = ENOUGH) =>
    changesBetween(behaviour(before, instances), behaviour(now, instances)).map(({ words }) => words);
  expect(changes("word ACTIVE", "word LOCKED")).toEqual([
    "/status in answers with 200 was word ACTIVE, is now word LOCKED",
  ]);
  expect(changes("word ACTIVE", "word LOCKED", ENOUGH - 1)).toEqual([]);
  expect(changes("word", "word LOCKED")).toEqual([]);
});

test("a field that callers may send is no drift if it is absent, and any other field is", () => {
  const names = { sometimes: [], required: [], unknown: [], instances: ENOUGH };
  const behaviour = (always: readonly string[], given: readonly string[] = []): Behaviour => ({
    answers: { readCard: {} },
    forms: { readCard: { "200": { ...NO_FORM, objects: { "/asked": { ...names, always, given } } } } },
  });
  expect(changesBetween(behaviour(["nickname"], ["nickname"]), behaviour([]))).toEqual([]);
  expect(changesBetween(behaviour([]), behaviour(["nickname"], ["nickname"]))).toEqual([]);
  expect(changesBetween(behaviour(["nickname"]), behaviour([]))).toMatchObject([
    { status: "200", where: "/asked/nickname", before: ["always"], now: ["never"] },
  ]);
});

const NO_FORM: AnswerForm = {
  headers: { always: [], sometimes: [], required: [], unknown: [], instances: 1 },
  objects: {},
  values: {},
  echoes: {},
  orders: {},
  pages: [],
};

test("a new field of the body itself is drift with a real contract, even if callers send its name", async () => {
  const real = await loadContract("financial-data");
  const behaviour = (json: unknown): Behaviour => {
    const observer = createObserver(real, TRIAL, RECORDER);
    const read = {
      ...exchange({ status: 200, json }),
      service: real.service,
      operationId: "GetCustomer",
      requestJson: undefined,
    };
    for (let count = 0; count < ENOUGH; count++) observer.see({ ...read, id: `w0-${count}` }, "a customer");
    return observer.behaviour();
  };
  const customer = { id: "1005061234", username: "john.smith", createdDate: 1700000000 };
  for (const [name, value] of Object.entries({ region: "west", firstName: "John" })) {
    const changes = changesBetween(behaviour(customer), behaviour({ ...customer, [name]: value }));
    expect(changes.map(({ words }) => words)).toEqual([
      `the field /${name} in answers with 200 was never present, is now always present`,
    ]);
  }
});

test("a baseline without behaviour has no drift to report, and does not pass as one without drift", () => {
  const { certificate, examples } = certificateOf(REFUSED);
  const { behaviour: _, ...old } = certificate;
  const unreadable = { ...old, behaviour: { "card-enrollment": "AAAA" } };
  for (const baseline of [old, unreadable]) {
    const comparison = compareCertificates(baseline, certificate, examples);
    expect(comparison.drift).toBeUndefined();
    expect(exitCodeOf({ ...certificate, comparison }, "drift")).toBe(3);
  }
});

test("a changed observation comes with its id", () => {
  const [gap] = CONTRACT.gaps as [Gap];
  const observed = [
    { id: "key", what: "an unknown key", match: "an unknown key$" },
    { id: "other", what: "another", match: "never tried" },
    { id: "unseen", what: "a thing", unseen: "nothing shows it" },
  ];
  const { behaviour } = resultOf(REFUSED);
  const gaps = [{ ...gap, observed }];
  const register = gapVerdicts({ ...CONTRACT, gaps }, behaviour ?? { answers: {}, forms: {} });
  expect(register.map(({ id, value, reason }) => [id, value, reason])).toEqual([
    ["card-enrollment.gap.unknown-fields.key", ["401"], null],
    ["card-enrollment.gap.unknown-fields.other", null, "no exchange of this run shows it"],
    ["card-enrollment.gap.unknown-fields.unseen", null, "nothing shows it"],
  ]);
});

/** Bodies, and whether numbers with trailing zeros are a trait of the answer. */
const PADDED: Readonly<Record<string, readonly string[]>> = {
  "(numbers with trailing zeros)": ["[1.0]", '{"a":-12.50}', '{ "a" : 1.5, "b" : 3.10\n}', "[1.5, 2.00 ]"],
  "": ["", "1.0", "[1.5]", "[10]", '{"a":"1.0"}', '["v1.10, 2"]', "[1.0e3]", "[.0]", "[1.]", "[1.0"],
};

test("numbers with trailing zeros are listed with the names of the headers", () => {
  for (const [trait, bodies] of Object.entries(PADDED))
    for (const body of bodies) {
      const answer = { status: 200, headers: {}, body: Buffer.from(body), json: undefined };
      expect(headerNames(answer, false), body).toEqual(trait === "" ? [] : [trait]);
    }
});

for (const service of services()) {
  test(`every gap of ${service} is in the observation register`, async () => {
    const { gaps } = await loadContract(service);
    expect(gaps.filter(({ observed }) => observed === undefined)).toEqual([]);
    const ids = gaps.flatMap(({ subject, observed = [] }) => observed.map(({ id }) => `${subject} ${id}`));
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });
}
