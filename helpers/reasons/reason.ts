/** A reason why a requirement is not tried or blocked: a code with parameters, and never a text that is read back. */
import { MOVES, OF_CLIENTS, SENTENCES } from "./rows.ts";

/** The parameters are in the order of the sentence. One of them may be the reason that is the cause of this one. */
export interface Reason {
  readonly code: {
    [Of in keyof typeof SENTENCES]: keyof (typeof SENTENCES)[Of] & string;
  }[keyof typeof SENTENCES];
  readonly parameters: Readonly<Record<string, string | number | Reason>>;
}

/** One value for each name in a sentence, in their order. Those with a question mark may be left out. */
type ValuesIn<Says, Known = never> = Says extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends Known
    ? ValuesIn<Rest, Known>
    : Name extends `${string}?`
      ? [value?: string | number | Reason | undefined, ...ValuesIn<Rest, Known | Name>]
      : [value: string | number | Reason, ...ValuesIn<Rest, Known | Name>]
  : [];

/** A reason, or a code and the values of its sentence. */
export type Why =
  | readonly [reason: Reason]
  | {
      readonly [Of in keyof typeof SENTENCES]: {
        readonly [Own in keyof (typeof SENTENCES)[Of]]: readonly [
          code: Own,
          ...values: ValuesIn<(typeof SENTENCES)[Of][Own]>,
        ];
      }[keyof (typeof SENTENCES)[Of]];
    }[keyof typeof SENTENCES];

/** The sentence and the advice of each code. */
const ROWS = new Map(
  Object.entries(SENTENCES).flatMap(([advice, group]) =>
    Object.entries(group).map(
      ([code, says]) => [code, { says, advice: advice as keyof typeof SENTENCES }] as const,
    ),
  ),
);

const PARAMETER = /\{(\w+)\??\}/g;

export const because = (...[code, ...values]: Why): Reason => {
  if (typeof code === "object") return code;
  const names = new Set([...(ROWS.get(code)?.says.matchAll(PARAMETER) ?? [])].map(([, name = ""]) => name));
  const given = [...names].map((name, index) => [name, values[index]]);
  return { code, parameters: Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
};

export const sentenceOf = ({ code, parameters }: Reason): string =>
  (ROWS.get(code)?.says ?? "").replaceAll(PARAMETER, (_, name: string) => {
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
export const adviceOf = (code: string, isOfClient = false): keyof typeof SENTENCES | undefined => {
  const own: Readonly<Record<string, keyof typeof SENTENCES>> = isOfClient ? OF_CLIENTS : {};
  return own[code] ?? ROWS.get(code)?.advice;
};
