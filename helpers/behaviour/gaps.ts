/**
 * Verdicts at level `gap`: what a target does where the documents leave the behaviour open. Each is a value that is read
 * from the behaviour in the exchanges of a run, and needs no exchange of its own. All of them are the observation register.
 */
import type { Contract, Service } from "../contract/contract.ts";
import type { GapObservation } from "../contract/gap-observation.ts";
import { memoize } from "../contract/memoize.ts";
import type { AnswerForm, Behaviour, Names } from "./behaviour.ts";

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

const MOST_VALUES = 12;

type GapRow = Pick<GapVerdict, "id" | "service" | "subject"> & Omit<GapObservation, "id">;

/** Returns what a run observes about the gaps of a service, each with its whole id. */
export const gapRowsOf = ({ service, gaps }: Pick<Contract, "service" | "gaps">): GapRow[] =>
  gaps.flatMap(({ subject, observed = [] }) => {
    const gap = [
      service,
      "gap",
      subject
        .toLowerCase()
        .match(/[a-z\d]+/g)
        ?.join("-"),
    ].join(".");
    return observed.map(({ id, ...row }) => ({ id: id ? `${gap}.${id}` : gap, service, subject, ...row }));
  });

/** Returns the register of a behaviour. */
export const gapVerdicts = (
  contract: Pick<Contract, "service" | "gaps">,
  behaviour: Behaviour,
): GapVerdict[] =>
  gapRowsOf(contract).map((row) => {
    const { id, service, subject, what, unseen = "no exchange of this run shows it" } = row;
    const seen = seenValue(row, behaviour);
    const [value, reason] = seen.length > 0 ? [seen, null] : [null, unseen];
    return { id, service, subject, what, value, reason };
  });

/** What a behaviour shows at a place. */
interface Fact {
  readonly operationId: string;
  /** What was tried, or the status and the place in the answers. */
  readonly where: string;
  readonly texts: readonly string[];
}

/** Returns the facts that an observation reads. */
export const factsOf = ({ subject, from, match, unseen }: GapRow, behaviour: Behaviour): Fact[] => {
  if (unseen !== undefined) return [];
  const pattern = match === undefined ? undefined : new RegExp(match);
  return readerOf(from)
    .facts(behaviour)
    .filter(
      ({ operationId, where }) =>
        pattern?.test(`${operationId} ${where}`) ?? where.startsWith(`${subject}: `),
    );
};

const seenValue = (row: GapRow, behaviour: Behaviour): string[] => {
  const { words = (found) => found, none } = readerOf(row.from);
  const texts = factsOf(row, behaviour).flatMap((fact) => fact.texts);
  const values = [...new Set(words(texts))].sort();
  if (values.length === 0 && none !== undefined && Object.keys(behaviour.forms).length > 0) return [none];
  const rest = values.splice(MOST_VALUES).length;
  return rest > 0 ? [...values, `and ${rest} others`] : values;
};

/** Many rows read the same facts. */
const answers = memoize(({ answers: all }: Behaviour): readonly Fact[] =>
  Object.entries(all).flatMap(([operationId, table]) =>
    Object.entries(table).map(([where, texts]) => ({ operationId, where, texts })),
  ),
);

/** Reads each form of an answer. @param read returns places with their texts */
const inForms = (
  read: (form: AnswerForm) => readonly (readonly [place: string, texts: readonly string[]])[],
) =>
  memoize(({ forms }: Behaviour): readonly Fact[] =>
    Object.entries(forms).flatMap(([operationId, byStatus]) =>
      Object.entries(byStatus).flatMap(([status, form]) =>
        read(form).map(([place, texts]) => ({ operationId, where: `${status} ${place}`, texts })),
      ),
    ),
  );

/** Reads each field of the objects in answers. @param read returns a text, or nothing, for a name */
const inFields = (read: (name: string, names: Names) => string | undefined) =>
  inForms(({ objects }) =>
    Object.entries(objects).flatMap(([place, names]) =>
      [...names.always, ...names.sometimes].map(
        (name) => [`${place}/${name}`, [read(name, names) ?? []].flat()] as const,
      ),
    ),
  );

const statusIn = (text: string): string => /^\d{3}(?=[; ]|$)/.exec(text)?.[0] ?? text;

const codesIn = (text: string): string =>
  text
    .split("; ")
    .filter((word) => /^(?:\d+|[A-Z][A-Z\d_]+)$/.test(word))
    .join(" ");

interface Reader {
  readonly facts: (behaviour: Behaviour) => readonly Fact[];
  /** Returns the values that texts show, in any order; without it, the texts. */
  readonly words?: (texts: readonly string[]) => readonly string[];
  /** The value if the behaviour has no such fact. */
  readonly none?: string;
}

/** @param from a name that the schema of `gaps.yaml` lists */
const readerOf = (from = "answers"): Reader => READERS[from] as Reader;

const READERS: Readonly<Record<string, Reader>> = {
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
      [...always, ...sometimes].map((name) => [name, [name]]),
    ),
    none: "no such header",
  },
  /** The forms of values. */
  values: { facts: inForms(({ values }) => Object.entries(values)) },
  echoes: { facts: inForms(({ echoes }) => Object.entries(echoes)) },
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
      Object.entries(orders).map(([field, all]) => [field, all.map((order) => `${field}: ${order}`)]),
    ),
  },
  pages: { facts: inForms(({ pages }) => [["", pages.filter((page) => page.startsWith("cut"))]]) },
};
