/**
 * Verdicts at level `gap`: what a target does where the documents leave the behaviour open. Each is a value that is read
 * from the behaviour in the exchanges of a run, and needs no exchange of its own. All of them are the observation register.
 */
import { contentOf } from "../contract/checked-file.ts";
import type { Contract, Service } from "../contract/contract.ts";
import { memoize } from "../contract/memoize.ts";
import { schemasFolder } from "../contract/services.ts";
import type { AnswerForm, Behaviour, Names, TextsByPlace } from "./behaviour.ts";

/** A row of `observations.yaml`. */
export interface GapRow {
  /** Distinguishes the rows of one gap. */
  readonly id?: string;
  /** The subject of the gap. */
  readonly gap: string;
  /** Describes the observed behaviour for people. */
  readonly what: string;
  /** How the value is read; `answers` if not given. */
  readonly from?: keyof typeof READERS;
  /**
   * A regular expression for the facts that are read: operationId and trial, or operationId, status and place. If not given,
   * these are what trials noted about the gap.
   */
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
  gaps.flatMap(({ subject }) =>
    rows
      .filter(({ gap }) => gap === subject)
      .map((row) => {
        const value = seenValue(row, behaviour);
        const reason = value.length > 0 ? null : (row.unseen ?? NOT_SHOWN);
        const id = gapId(service, row);
        return { id, service, subject, what: row.what, value: reason === null ? value : null, reason };
      }),
  );

/** `base address, limits` -> `rooms.gap.base-address-limits` */
export const gapId = (service: Service, { gap, id }: GapRow): string => {
  const words = gap.toLowerCase().match(/[a-z\d]+/g) ?? [];
  return [service, "gap", words.join("-"), ...(id === undefined ? [] : [id])].join(".");
};

/** What a behaviour shows at a place. */
interface Fact {
  readonly operationId: string;
  /** What was tried, or the status and the place in the answers. */
  readonly where: string;
  readonly texts: readonly string[];
}

/** Returns the facts that a row reads. */
export const factsOf = ({ gap, from = "answers", match, unseen }: GapRow, behaviour: Behaviour): Fact[] => {
  if (unseen !== undefined) return [];
  const pattern = match === undefined ? undefined : new RegExp(match);
  const isRead = ({ operationId, where }: Fact): boolean =>
    pattern?.test(`${operationId} ${where}`) ?? where.startsWith(`${gap}: `);
  return READERS[from].facts(behaviour).filter(isRead);
};

const seenValue = (row: GapRow, behaviour: Behaviour): string[] => {
  const texts = factsOf(row, behaviour).flatMap((fact) => fact.texts);
  const { words = (found) => found, none }: Reader = READERS[row.from ?? "answers"];
  const values = [...new Set(words(texts))].sort();
  if (values.length === 0 && none !== undefined && Object.keys(behaviour.forms).length > 0) return [none];
  const rest = values.length - MOST_VALUES;
  return rest > 0 ? [...values.slice(0, MOST_VALUES), `and ${rest} others`] : values;
};

/** Many rows read the same facts. */
const answers = memoize(({ answers: all }: Behaviour): readonly Fact[] =>
  Object.entries(all).flatMap(([operationId, table]) =>
    Object.entries(table).map(([where, texts]) => ({ operationId, where, texts })),
  ),
);

/** Reads each form of an answer. @param read returns the texts at each place */
const inForms = (read: (form: AnswerForm) => TextsByPlace) =>
  memoize(({ forms }: Behaviour): readonly Fact[] =>
    Object.entries(forms).flatMap(([operationId, byStatus]) =>
      Object.entries(byStatus).flatMap(([status, form]) =>
        Object.entries(read(form)).map(([place, texts]) => ({
          operationId,
          where: `${status} ${place}`,
          texts,
        })),
      ),
    ),
  );

/** Reads each field of the objects in answers. @param read returns a text, or nothing, for a name */
const inFields = (read: (name: string, names: Names) => string | undefined) =>
  inForms(({ objects }) => {
    const fields = Object.entries(objects).flatMap(([place, names]) =>
      [...names.always, ...names.sometimes].map((name) => {
        const text = read(name, names);
        return [`${place}/${name}`, text === undefined ? [] : [text]] as const;
      }),
    );
    return Object.fromEntries(fields);
  });

const statusIn = (text: string): string => /^\d{3}(?=[; ]|$)/.exec(text)?.[0] ?? text;

const CODE = /^(?:\d+|[A-Z][A-Z\d_]+)$/;

const codesIn = (text: string): string =>
  text
    .split("; ")
    .filter((word) => CODE.test(word))
    .join(" ");

interface Reader {
  readonly facts: (behaviour: Behaviour) => readonly Fact[];
  /** Returns the values that texts show, in any order; without it, the texts. */
  readonly words?: (texts: readonly string[]) => readonly string[];
  /** The value if the behaviour has no such fact. */
  readonly none?: string;
}

const READERS = {
  /** The statuses of answers, and what trials noted. */
  answers: { facts: answers, words: (texts) => texts.map(statusIn) },
  /** The statuses of refusals. */
  refusals: {
    facts: answers,
    words(texts) {
      const refused = texts.map(statusIn).filter((status) => !/^2\d\d$/.test(status));
      return texts.length > 0 && refused.length === 0 ? ["not refused"] : refused;
    },
  },
  /** Whether any answer limits the rate. */
  rates: {
    facts: answers,
    words: (texts) => (texts.length === 0 ? [] : [texts.map(statusIn).includes("429") ? "429" : "never 429"]),
  },
  /** The statuses of refusals with their codes. */
  codes: {
    facts: answers,
    words: (texts) => texts.map(codesIn).filter((codes) => !codes.startsWith("2")),
  },
  /** Answers with the texts of refusals. */
  texts: { facts: answers },
  /** The names of headers, with the values that do not depend on the answer. */
  headers: {
    facts: inForms(({ headers: { always, sometimes } }) =>
      Object.fromEntries([...always, ...sometimes].map((name) => [name, [name]])),
    ),
    none: "no such header",
  },
  /** The forms of values. */
  values: { facts: inForms(({ values }) => values) },
  echoes: { facts: inForms(({ echoes }) => echoes) },
  /** The names of fields, and whether answers always have them. */
  fields: {
    facts: inFields((name, { always }) => `${name}: ${always.includes(name) ? "always" : "sometimes"}`),
  },
  /** The names of fields alone. */
  names: { facts: inFields((name) => name) },
  /** Fields that the contract does not know, and fields that it requires and that are not always present. */
  deviations: {
    facts: inFields((name, { always, required, unknown }) => {
      if (unknown.includes(name)) return `other field ${name}`;
      return required.includes(name) && !always.includes(name) ? `without ${name}` : undefined;
    }),
    none: "as assumed",
  },
  orders: {
    facts: inForms(({ orders }) =>
      Object.fromEntries(
        Object.entries(orders).map(([field, all]) => [field, all.map((order) => `${field}: ${order}`)]),
      ),
    ),
  },
  pages: { facts: inForms(({ pages }) => ({ "": pages.filter((page) => page.startsWith("cut")) })) },
} as const satisfies Readonly<Record<string, Reader>>;
