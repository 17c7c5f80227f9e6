/** The data types of a customer, and of its consumer and business. */
import type { Fields } from "../../engine/values/fields.ts";
export interface Customer {
  readonly id: string;
  readonly partnerId: string;
  type: "testing" | "active";
  readonly username: string;
  firstName: string | undefined;
  lastName: string | undefined;
  email: string | undefined;
  phone: string | undefined;
  applicationId: string | undefined;
  /** Seconds since 1970. */
  readonly created: number;
  modified: number | undefined;
  /** Situations of this customer only, for example `security-freeze`. Absent for most customers. */
  marks: Set<string> | undefined;
}

/** Puts the customer into a situation. */
export const mark = (customer: Customer, situation: string): void => {
  customer.marks ??= new Set();
  customer.marks.add(situation);
};

export interface Consumer {
  readonly id: string;
  readonly customerId: string;
  readonly partnerId: string;
  /** The fields from the client. */
  fields: Fields;
  readonly created: number;
}

export interface Business {
  readonly id: string;
  readonly customerId: string;
  readonly partnerId: string;
  fields: Fields;
  readonly created: number;
  modified: number;
}
