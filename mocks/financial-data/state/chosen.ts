/** The types of the data that a user may choose. `data.schema.json` describes the same for the user. */
import type { Fields } from "../../engine/values/fields.ts";
import type { Institution } from "./institutions.ts";

export interface Chosen {
  readonly partners?: readonly ChosenPartner[];
  readonly institutions?: readonly (Pick<Institution, "id" | "name"> & Partial<Institution>)[];
  readonly customers?: readonly ChosenCustomer[];
  readonly thirdParties?: readonly {
    readonly receiptId: Id;
    readonly partnerId?: Id;
    readonly thirdPartyPartnerId: Id;
    readonly customerId: Id;
    readonly issued?: string;
    readonly fields?: Fields;
  }[];
  readonly applications?: readonly {
    readonly preAppId: Id;
    readonly applicationId?: Id;
    readonly partnerId?: Id;
    readonly status?: "A" | "P" | "D" | "R" | "S";
    readonly submitted?: string;
    readonly fields?: Fields;
  }[];
  readonly webhooks?: readonly {
    readonly id: Id;
    readonly partnerId?: Id;
    readonly url?: string;
    readonly status?: "active" | "inactive";
    readonly created?: string;
    readonly events: readonly {
      readonly id?: Id;
      readonly name: string;
      readonly url?: string;
      readonly status?: "active" | "inactive";
      readonly condition?: {
        readonly subscribeFor: string;
        readonly includes?: readonly string[];
        readonly excludes?: readonly string[];
      };
    }[];
  }[];
  readonly txPush?: readonly {
    readonly id: Id;
    readonly accountId: Id;
    readonly type: "account" | "transaction";
    readonly callbackUrl: string;
    readonly signingKey?: string;
  }[];
}

type Id = string | number;

/** `role`: the partner of the sandbox that it replaces. */
export interface ChosenPartner {
  readonly id: Id;
  readonly name?: string;
  readonly appKey?: string;
  readonly secret: string;
  readonly role?: "main" | "disposable" | "other";
  readonly resells?: readonly Id[];
}

export interface ChosenCustomer {
  readonly id: Id;
  readonly partnerId?: Id;
  readonly username: string;
  readonly type?: "testing" | "active";
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly applicationId?: string;
  /** Here and below: times in ISO 8601. */
  readonly created?: string;
  readonly consumer?: ChosenPerson;
  readonly business?: ChosenPerson;
  readonly logins?: readonly {
    readonly id: Id;
    readonly institutionId: Id;
    readonly connection?: "legacy" | "oauth";
    readonly created?: string;
    readonly accounts: readonly ChosenAccount[];
  }[];
}

export interface ChosenPerson {
  readonly id: Id;
  readonly created?: string;
  readonly fields?: Fields;
}

export interface ChosenAccount {
  readonly id: Id;
  readonly type: string;
  readonly number?: string;
  readonly routingNumber?: string;
  readonly name?: string;
  readonly status?: "active" | "pending";
  readonly balance?: number;
  readonly created?: string;
  readonly perDay?: number;
  readonly fields?: Fields;
  readonly transactions?: readonly {
    readonly id?: number;
    readonly amount: number;
    readonly description: string;
    readonly transactionDate?: string;
    readonly postedDate?: string;
  }[];
}

/** Returns the user's data. The sandbox has checked it against `data.schema.json`. */
export const chosenBy = (data: Fields): Chosen => data as Chosen;
