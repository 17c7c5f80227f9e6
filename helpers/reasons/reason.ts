/** A reason why a requirement is not tried or blocked: a code with parameters, and never a text that is read back. */

/** The sentence of each code, by the code of its advice (`reports/render/advice.json`). `{name?}` may be left out. */
export const SENTENCES = {
  budget: { "left-out-by-budget": "left out by the budget" },
  depth: {
    "left-out-by-depth":
      "quick depth leaves out what finds the fewest kinds of faults for its requests: --depth standard tries it",
    "tried-elsewhere":
      "the document is large, so quick depth tries this rule of a component only at {place}: --depth standard tries it here",
  },
  select: {
    "not-selected": "not selected",
    "other-shard": "tried in another shard",
    "other-seed": "{seen}: choose another --seed",
    "search-ended": "the violation that was asked for has been found",
    "run-ended": "the run was ended",
  },
  allow: {
    "lacks-own":
      "needs {resource}: {own}; or set ALLOW_DESTRUCTIVE=true if the run may change what a list shows",
    "lacks-permission": "needs permission: {permission}",
  },
  give: { "lacks-given": "needs {what}: give {option}" },
  setting: {
    "no-base-url": "no base URL: set {setting}",
    "lacks-setting": "needs {what}: set {settings}",
    "lacks-option": "needs {what}",
    "lacks-public-url": "the listener is on this machine: give its public URL",
    "lacks-deliveries": "needs deliveries: set RECEIVER_PUBLIC_URL and RECEIVER_PORT{more?}",
    "lacks-situation": "needs {what}: name one as {situation} in SITUATIONS",
    "situations-used":
      "needs one more {situation} in SITUATIONS: each serves one trial, and all {amount} are used",
    "maybe-used":
      "{seen}; an earlier run may have used the {name}: name another in SITUATIONS, with untouched: true",
    "hook-failed": "the hook for {what} failed: {why}",
    "not-effective": "{seen}",
  },
  names: {
    "name-left-open":
      "{operation} shows no {what}: bind {operation} in BINDINGS to its JSON pointer{example?}",
  },
  document: {
    "document-would-settle": "{seen}: give the provider's document with --contract {service}=FILE",
    "name-assumed": "{seen}",
  },
  clock: { "lacks-clock": "needs clock: {wait}" },
  needs: {
    lacks: "needs {what}",
    "lacks-resource": "needs {resource}: {why}",
    "lists-none": "{operation} lists none{hint}",
    unprovided: "needs {resource}, which nothing provides",
    unprovokable: "needs {state}, which no client can provoke",
  },
  data: {
    "no-occasion": "no occasion: {need}{limit?}",
    "not-shown": "{seen}",
    "part-not-shown": "{seen}",
    "no-delivery": "{seen}",
    "not-in-traffic": "the traffic does not show it",
  },
  exercises: { "client-silent": "the client sent nothing to this service" },
  longer: { "not-enough": "not enough: {seen}" },
  credentials: { "log-in-failed": "{seen}" },
  responses: {
    refused: "{operation} refused {what} with {status}",
    answered: "{operation} answered {answer}",
    unanswered: "{seen}",
    unreadable: "the answer can't be judged: {why}",
    interrupted: "{seen}",
    closed:
      "the target closed a connection that was in use, as it may, and a call that may do harm is not sent again",
    uniform: "every request was answered {status}, valid or not, so that nothing is shown",
    "asks-for-more": "{operation} requires another step first ({status})",
    "accepts-anything": "{seen}",
    "call-incomplete":
      "{seen}: the document allows the call, but it may not state all that a valid call needs",
    "control-refused": "{control} was refused with {status} too, so that nothing is shown",
    "no-valid-call": "no valid call was accepted: {operation} {answer}",
    "not-arranged": "{seen}",
    "not-found": "not found: {why}",
    "not-returned": "{operation} should have returned {resource}, but answered {answer}",
  },
  service: { "obliges-service": "obliges the service{advice?}" },
  "own-program": { "obliges-client": "obliges {whom}" },
  "own-code": { "not-shown-by-traffic": "not shown by traffic: {why}" },
  "by-hand": {
    "would-last":
      "{operation} was not sent: it would be invalid, and the server accepted as many invalid requests to this operation, whose results nobody can remove, as ALLOW_LASTING permits",
    "would-harm": "{harm}",
  },
  "whole-body": {
    "other-alternative":
      "another alternative may allow what this one refuses: {requirement} tries whole bodies",
  },
  provider: {
    "not-observable": "not observable",
    "no-certain-miss": "no input certainly violates the rule",
    "document-leaves-open": "{seen}: the provider's document that was given does not settle it",
    "document-without": "{operation} has no {part} in the document that was given",
    "document-without-operation": "the provider's document has no operation {operation}",
  },
  open: {
    permitted: "{behaviour}",
    "left-open": "{question}",
    "added-later": "added after the set of {version} was frozen",
    "added-and-blocked": "added after the set of {version} was frozen, and blocked: {why}",
  },
  suite: {
    "limit-of-suite": "{limit}",
    "keyword-left-out": "the suite leaves out `{keyword}`: {why}",
    "no-value": "no value of the schema was found: {why}",
    "no-trial": "no trial tries it",
    "no-check": "no check tries it",
    untested: "no exchange tested the requirement",
  },
  report: {
    crashed: "the suite itself failed, please report it with {file}",
    "ended-early": "its trial ended early: {why}",
    "no-verdict": "its trial gave no verdict",
    "not-finished": "its trial did not finish",
  },
} as const;

/** The party that can follow an advice, if it is not the user. */
const MOVES: Readonly<Partial<Record<keyof typeof SENTENCES, string>>> = {
  responses: "provider",
  provider: "provider",
  suite: "suite",
  report: "suite",
  "by-hand": "nobody",
  "whole-body": "nobody",
  "own-code": "nobody",
  open: "nobody",
};

/** The advice of codes for which the user of a caller or a listener has another move. */
const OF_CLIENTS = {
  "no-occasion": "exercises",
  "not-shown": "exercises",
  "part-not-shown": "exercises",
  "not-observable": "own-code",
} as const;

/** The parameters are in the order of the sentence. One of them may be the reason that is the cause of this one. */
export interface Reason {
  readonly code: {
    [Of in keyof typeof SENTENCES]: keyof (typeof SENTENCES)[Of] & string;
  }[keyof typeof SENTENCES];
  readonly parameters: Readonly<Record<string, string | number | Reason>>;
}

/** One value for each name in a sentence, in their order. Those with a question mark may be left out. */
type Values<Says, Known = never> = Says extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends Known
    ? Values<Rest, Known>
    : Name extends `${string}?`
      ? [value?: string | number | Reason | undefined, ...Values<Rest, Known | Name>]
      : [value: string | number | Reason, ...Values<Rest, Known | Name>]
  : [];

/** A reason, or a code and the values of its sentence. */
export type Why =
  | readonly [reason: Reason]
  | {
      readonly [Of in keyof typeof SENTENCES]: {
        readonly [Own in keyof (typeof SENTENCES)[Of]]: readonly [
          code: Own,
          ...values: Values<(typeof SENTENCES)[Of][Own]>,
        ];
      }[keyof (typeof SENTENCES)[Of]];
    }[keyof typeof SENTENCES];

const SAYS: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(SENTENCES));

const PARAMETER = /\{(\w+)\??\}/g;

export const because = (...[code, ...values]: Why): Reason => {
  if (typeof code === "object") return code;
  const names = new Set([...(SAYS[code] ?? "").matchAll(PARAMETER)].map(([, name = ""]) => name));
  const given = [...names].map((name, index) => [name, values[index]]);
  return { code, parameters: Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
};

export const sentenceOf = ({ code, parameters }: Reason): string =>
  (SAYS[code] ?? "").replaceAll(PARAMETER, (_, name: string) => {
    const value = parameters[name] ?? "";
    return typeof value === "object" ? sentenceOf(value) : `${value}`;
  });

/** Returns the reason at the end of the causes: what has to change. */
export const causeOf = (reason: Reason): Reason => {
  const inner = Object.values(reason.parameters).find((value) => typeof value === "object");
  return inner === undefined ? reason : causeOf(inner);
};

/** Returns the reason with other texts, for example without secrets. */
export const rewordedBy = ({ code, parameters }: Reason, reworded: (text: string) => string): Reason => {
  const values = Object.entries(parameters).map(([name, value]) => {
    if (typeof value === "object") return [name, rewordedBy(value, reworded)];
    return [name, typeof value === "string" ? reworded(value) : value];
  });
  return { code, parameters: Object.fromEntries(values) };
};

/** Returns whose move it is to follow an advice. */
export const moveOf = (advice = "open"): string =>
  (MOVES as Readonly<Record<string, string>>)[advice] ?? "user";

/** Returns the code of the advice for a reader, who may have the certificate of a caller or a listener. */
export const adviceOf = (code = "", isOfClient = false): string | undefined => {
  const own: Readonly<Record<string, string>> = isOfClient ? OF_CLIENTS : {};
  return own[code] ?? Object.entries(SENTENCES).find(([, group]) => code in group)?.[0];
};
