/** The kinds of reports, one row each: required parties, eligible accounts, and length of the history. */
import kinds from "./kinds.json" with { type: "json" };

export type UserType = "personal" | "business";

export interface ReportKind {
  /** The type in the report; it can depend on the user type and purpose. */
  readonly type:
    | string
    | Readonly<
        Record<
          UserType,
          {
            readonly cra: string;
            readonly other: string;
            /** For an applicant who is a personal guarantor. */
            readonly guarantor?: string;
          }
        >
      >;
  /** The party that must exist. `created`: the generation creates the party of the user type. */
  readonly needs: "consumer" | "business" | "created" | "nobody";
  /** Account types. The customer must have linked an account of at least one of them. */
  readonly eligible?: readonly string[];
  /** Account types that the report covers, if it does not require an account of a particular type. */
  readonly covers?: readonly string[];
  /** The longest history in days. */
  readonly most: number;
  /** The default history in days; `most` if absent. */
  readonly usual?: number;
  readonly parts: readonly ReportPart[];
  readonly title: string;
}

export type ReportPart =
  | "bank"
  | "assets"
  | "income"
  | "cash-flow"
  | "analytics"
  | "employment"
  | "pay-statements";

/** By operationId. */
export const REPORT_KINDS = kinds as Readonly<Record<string, ReportKind>>;
