/** The reports that can be generated, a row each: whom they need, which accounts, how far they look back. */
import kinds from "./kinds.json" with { type: "json" };

export type UserType = "personal" | "business";

export interface ReportKind {
  /** As reports carry it; by user type and purpose where it depends on them. */
  readonly type: string | Readonly<Record<UserType, Analytics>>;
  /** Who must exist before; `created`: whoever the user type asks for comes into being with the report. */
  readonly needs: "consumer" | "business" | "created" | "nobody";
  /** Types of accounts of which one at least must be linked. */
  readonly eligible?: readonly string[];
  /** Types of accounts that it covers, when it must not have any. */
  readonly covers?: readonly string[];
  /** Days that it looks back at most. */
  readonly most: number;
  /** Days that it looks back unless it is asked otherwise; `most` if absent. */
  readonly usual?: number;
  readonly parts: readonly Part[];
  readonly title: string;
}

export interface Analytics {
  readonly cra: string;
  readonly other: string;
  /** For an applicant who is a personal guarantor. */
  readonly guarantor?: string;
}

export type Part = "bank" | "assets" | "income" | "cash-flow" | "analytics" | "employment" | "pay-statements";

/** By operationId. */
export const REPORT_KINDS = kinds as Readonly<Record<string, ReportKind>>;
