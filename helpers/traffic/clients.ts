/** Sorts exchanges by client: by the token, by the credentials with the program that has them, or by the address. */
import { createHmac, randomBytes } from "node:crypto";
import { MASKED_TOKEN, type Marks } from "./seen.ts";

/**
 * Returns a function that names the client of each exchange. A token belongs to the client that got it, even if other
 * processes of that client use it from another address.
 */
export const createSorter = (): ((address: string, marks: Marks, program?: string) => string) => {
  const owners = new Map<string, string>();
  const names = new Map<string, string>();
  /** The last client with credentials, by address. */
  const neighbours = new Map<string, string>();
  const nameOf = (identity: string): string => {
    const name = names.get(identity) ?? `client ${names.size + 1}`;
    names.set(identity, name);
    return name;
  };
  return (address, { token: shown, issued, key }, program = "") => {
    // Several clients may have a token that the recording does not show.
    const token = shown === MASKED_TOKEN ? undefined : shown;
    const hasNone = token === undefined && key === undefined;
    const owner = token === undefined ? undefined : owners.get(token);
    // Pages are opened without credentials.
    const neighbour = hasNone ? neighbours.get(address) : undefined;
    const client =
      owner ??
      neighbour ??
      nameOf(token === undefined ? `${address} ${key ?? ""} ${program}` : `token ${token}`);
    if (!hasNone) neighbours.set(address, client);
    for (const known of [token, issued]) if (known !== undefined) remember(owners, known, client);
    return client;
  };
};

const MOST_TOKENS = 10_000;

const remember = (owners: Map<string, string>, token: string, client: string): void => {
  owners.delete(token);
  owners.set(token, client);
  const [oldest] = owners.keys();
  if (owners.size > MOST_TOKENS && oldest !== undefined) owners.delete(oldest);
};

/** Returns a function that marks secrets. Without the key of the recording, a mark does not reveal its secret. */
export const createMarker = (secret: Buffer = randomBytes(32)): ((value: string) => string) => {
  const known = new Map<string, string>();
  return (value) => {
    const mark =
      known.get(value) ?? createHmac("sha256", secret).update(value).digest("base64url").slice(0, 12);
    if (value.length <= LONGEST_KNOWN) known.set(value, mark);
    if (known.size > MOST_KNOWN) known.clear();
    return mark;
  };
};

/** Credentials are short and repeated, so their marks are kept. */
const LONGEST_KNOWN = 256;
const MOST_KNOWN = 1_000;
