/** The habits of a server: choices that the documents leave open, for all its answers. */
import type { Fields } from "../values/fields.ts";

export interface Habits {
  /** The order of the fields in objects. */
  readonly fields: "as-made" | "reversed" | "by-name";
  /** Undocumented fields that every object gets. */
  readonly extra: Fields;
  /** Whether every object has undocumented fields that change by themselves, or with any change. */
  readonly moving: boolean;
  /** Undocumented headers of every answer. */
  readonly extraHeaders: Readonly<Record<string, string>>;
  /** The percentage of optional fields that are left out. */
  readonly leftOut: number;
  /** A prefix of every refusal text. */
  readonly words: string;
  readonly refusals: "as-made" | "other-shape";
  /** Statuses by cause of a refusal, instead of those that the service chooses. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Decimal ids with this number of digits, or UUIDs, where the documents do not fix their form. */
  readonly ids: number | "uuid";
  /** Whether decimal ids are JSON numbers in answers. */
  readonly numericIds: boolean;
  /** Entries per page when the caller gives no size. */
  readonly pageSize: number | undefined;
  /** Milliseconds of delay before every answer. */
  readonly delay: number;
  /** Milliseconds until reads show a change. */
  readonly lateness: number;
  /** The letter case of words where it is open. */
  readonly letters: "as-made" | "capitals";
  readonly dates: "as-made" | "with-fraction" | "with-offset";
  /** Whether amounts are written with two decimals, such as 10.00. */
  readonly twoDecimals: boolean;
  readonly transfer: "as-made" | "chunked";
  readonly coding: "none" | "gzip";
  readonly connections: "kept" | "closed-after-each" | "closed-when-idle";
}

export const NO_HABITS: Habits = {
  ...({ fields: "as-made", letters: "as-made", dates: "as-made", transfer: "as-made" } as const),
  ...({ refusals: "as-made", coding: "none", connections: "kept" } as const),
  ...{ extra: {}, extraHeaders: {}, statuses: {}, words: "", leftOut: 0, delay: 0, lateness: 0, ids: 10 },
  ...{ moving: false, numericIds: false, twoDecimals: false, pageSize: undefined },
};

/** Combines habits; the last one wins, except that extra fields, headers and statuses add up. */
export const combined = (all: readonly Partial<Habits>[]): Habits => ({
  ...(Object.assign({}, NO_HABITS, ...all) as Habits),
  extra: Object.assign({}, ...all.map(({ extra }) => extra)),
  extraHeaders: Object.assign({}, ...all.map(({ extraHeaders }) => extraHeaders)),
  statuses: Object.assign({}, ...all.map(({ statuses }) => statuses)),
});
