/** The data with which partners and institutions are made. Users may choose them. */
import type { Fields } from "../../engine/values/fields.ts";
import type { Institution } from "./institutions.ts";

/** `role`: the partner of the sandbox that it replaces. */
export interface ChosenPartner {
  readonly id: string | number;
  readonly name?: string;
  readonly appKey?: string;
  readonly secret?: string;
  readonly role?: "main" | "disposable" | "other";
  readonly resells?: readonly (string | number)[];
}

/** Returns the user's data. The sandbox has checked it against the schema of its kinds. */
export const chosenBy = (data: Fields) =>
  data as {
    readonly partners?: readonly ChosenPartner[];
    readonly institutions?: readonly (Pick<Institution, "id"> & Partial<Institution>)[];
  };
