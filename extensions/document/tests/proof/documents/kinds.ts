/** The kinds of parts that documents are generated from. */
import { bodyKinds } from "./body-kinds.ts";
import type { Kind } from "./kind.ts";
import { MESSAGE_KINDS } from "./message-kinds.ts";
import { RESOURCE_KINDS } from "./resource-kinds.ts";
import { USER_KINDS } from "./user-kinds.ts";

export const kindsOf = (version: "3.0" | "3.1"): Readonly<Record<string, Kind>> => ({
  ...bodyKinds(version),
  ...RESOURCE_KINDS,
  ...MESSAGE_KINDS,
  ...USER_KINDS,
});
