/**
 * Verdicts at level `gap`: what a target does where the documents leave the behaviour open. Each is a value that is read
 * from the behaviour in the exchanges of a run, and needs no exchange of its own. All of them are the observation register.
 */
import { contentOf } from "../contract/checked-file.ts";
import type { Contract, Service } from "../contract/contract.ts";
import { oncePer } from "../contract/once.ts";
import { schemasFolder } from "../contract/services.ts";
import type { AnswerForm, Behaviour } from "./behaviour.ts";

/** A row of `observations.yaml`. It has either `from` and `match`, or `unseen`. */
export interface GapRow {
  /** Distinguishes the rows of one gap. */
  readonly id?: string;
  /** The subject of the gap. */
  readonly gap: string;
  /** Describes the observed behaviour for people. */
  readonly what: string;
  /** The part of a behaviour that the value is read from. */
  readonly from?: keyof typeof READERS;
  /** A regular expression for the facts of this source: operationId and trial, or operationId, status and place. */
  readonly match?: string;
  /** The reason why no exchange can show it. */
  readonly unseen?: string;
}

export interface GapVerdict {
  /** The gap's id, and the row's. */
  readonly id: string;
  readonly service: Service;
  readonly subject: string;
  readonly what: string;
  /** In normal form and alphabetical order; `null` if nothing was seen. */
  readonly value: readonly string[] | null;
  /** The reason why nothing was seen. */
  readonly reason: string | null;
}

const NOT_SHOWN = "no exchange of this run shows it";
const MOST_VALUES = 12;

/** Returns the rows of a service, or an empty list if it has no `observations.yaml`. */
export const gapRows = (service: Service): readonly GapRow[] =>
  contentOf<{ readonly observations: readonly GapRow[] }>(
    schemasFolder(service),
    "observations.yaml",
    "observations",
  )?.observations ?? [];

/** Returns the register of a behaviour. */
export const gapVerdicts = (
  { service, gaps }: Pick<Contract, "service" | "gaps">,
  behaviour: Behaviour,
  rows: readonly GapRow[] = gapRows(service),
): GapVerdict[] =>
  gaps.flatMap(({ subject }) => {
    const own = rows.filter(({ gap }) => gap === subject);
    return own.map((row) => {
      const value = row.unseen === undefined ? seenValue(row, behaviour) : [];
      const seen = value.length > 0;
      return {
        id: [service, "gap", idOf(subject), ...(row.id === undefined ? [] : [row.id])].join("."),
        service,
        subject,
        what: row.what,
        value: seen ? value : null,
        reason: seen ? null : (row.unseen ?? NOT_SHOWN),
      };
    });
  });

/** `base address, limits` -> `base-address-limits` */
const idOf = (subject: string): string =>
  subject
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-|-$/g, "");

const seenValue = ({ from, match }: GapRow, behaviour: Behaviour): string[] => {
  if (from === undefined || match === undefined) return [];
  const values = [...new Set(READERS[from](behaviour, new RegExp(match)))].sort();
  const rest = values.length - MOST_VALUES;
  return rest > 0 ? [...values.slice(0, MOST_VALUES), `and ${rest} others`] : values;
};

type Reader = (behaviour: Behaviour, pattern: RegExp) => string[];

/** Returns the answers of a behaviour, each with the fact that patterns match. Many rows read them. */
const answersOf = oncePer(({ answers }: Behaviour) =>
  Object.entries(answers).flatMap(([operationId, table]) =>
    Object.entries(table).map(([tried, found]) => ({ fact: `${operationId} ${tried}`, found })),
  ),
);

const answersIn: Reader = (behaviour, pattern) =>
  answersOf(behaviour).flatMap(({ fact, found }) => (pattern.test(fact) ? found : []));

/** Reads each form of an answer. @param read returns pairs of a fact that the pattern must match, and a value */
const formsIn = (read: (form: AnswerForm) => (readonly [fact: string, value: string])[]): Reader => {
  const factsOf = oncePer(({ forms }: Behaviour) =>
    Object.entries(forms).flatMap(([operationId, byStatus]) =>
      Object.entries(byStatus).flatMap(([status, form]) =>
        read(form).map(([fact, value]) => ({ fact: `${operationId} ${status} ${fact}`, value })),
      ),
    ),
  );
  return (behaviour, pattern) =>
    factsOf(behaviour).flatMap(({ fact, value }) => (pattern.test(fact) ? [value] : []));
};

const inTable = (
  table: Readonly<Record<string, readonly string[]>>,
  word: (key: string, value: string) => string = (_, value) => value,
): (readonly [string, string])[] =>
  Object.entries(table).flatMap(([key, values]) => values.map((value) => [key, word(key, value)] as const));

const statusIn = (text: string): string => /^\d{3}(?=[; ]|$)/.exec(text)?.[0] ?? text;

const CODE = /^(?:\d+|[A-Z][A-Z\d_]+)$/;

const headersIn = formsIn(({ headers }) =>
  [...headers.always, ...headers.sometimes].map((name) => [name, name] as const),
);

const deviationsIn = formsIn(({ objects }) =>
  Object.entries(objects).flatMap(([place, { always, required, unknown }]) => [
    ...unknown.map((name) => [`${place}/${name}`, `other field ${name}`] as const),
    ...required
      .filter((name) => !always.includes(name))
      .map((name) => [`${place}/${name}`, `without ${name}`] as const),
  ]),
);

/** Values are in no order of their own, so a reader may list them in any. */
const READERS = {
  /** The statuses of answers, and what trials noted. */
  answers: (behaviour, pattern) => answersIn(behaviour, pattern).map(statusIn),
  /** The statuses of refusals. */
  refusals: (behaviour, pattern) => {
    const tried = answersIn(behaviour, pattern).map(statusIn);
    const refused = tried.filter((status) => !/^2\d\d$/.test(status));
    return tried.length > 0 && refused.length === 0 ? ["not refused"] : refused;
  },
  /** Whether any answer limits the rate. */
  rates: (behaviour, pattern) => {
    const statuses = answersIn(behaviour, pattern).map(statusIn);
    if (statuses.length === 0) return [];
    return [statuses.includes("429") ? "429" : "never 429"];
  },
  /** The statuses of refusals with their codes. */
  codes: (behaviour, pattern) =>
    answersIn(behaviour, pattern)
      .map((text) =>
        text
          .split("; ")
          .filter((word) => CODE.test(word))
          .join(" "),
      )
      .filter((codes) => !codes.startsWith("2")),
  /** Answers with the texts of refusals. */
  texts: answersIn,
  /** The names of headers, with the values that do not depend on the answer. */
  headers: (behaviour, pattern) => {
    const names = headersIn(behaviour, pattern);
    return names.length === 0 && Object.keys(behaviour.forms).length > 0 ? ["no such header"] : names;
  },
  /** The forms of values. */
  values: formsIn(({ values }) => inTable(values)),
  echoes: formsIn(({ echoes }) => inTable(echoes)),
  /** The names of fields, and whether answers always have them. */
  fields: formsIn(({ objects }) =>
    Object.entries(objects).flatMap(([place, { always, sometimes }]) => [
      ...always.map((name) => [`${place}/${name}`, `${name}: always`] as const),
      ...sometimes.map((name) => [`${place}/${name}`, `${name}: sometimes`] as const),
    ]),
  ),
  /** The names of fields alone. */
  names: formsIn(({ objects }) =>
    Object.entries(objects).flatMap(([place, { always, sometimes }]) =>
      [...always, ...sometimes].map((name) => [`${place}/${name}`, name] as const),
    ),
  ),
  /** Fields that the contract does not know, and fields that it requires and that are not always present. */
  deviations: (behaviour, pattern) => {
    const names = deviationsIn(behaviour, pattern);
    return names.length === 0 && Object.keys(behaviour.forms).length > 0 ? ["as assumed"] : names;
  },
  orders: formsIn(({ orders }) => inTable(orders, (field, value) => `${field}: ${value}`)),
  pages: formsIn(({ pages }) =>
    pages.filter((page) => page.startsWith("cut")).map((page) => ["", page] as const),
  ),
} as const satisfies Readonly<Record<string, Reader>>;
