/** The account owner as the institution knows it: from the consumer, or else from the customer. */
import { randomOf } from "../../engine/values/random.ts";
import type { Account } from "./account.ts";
import type { State } from "./state.ts";

export type Owner = ReturnType<typeof ownerOf>;

export const ownerOf = (state: State, { customerId }: Account) => {
  const customer = state.customers.find(customerId);
  const fields = state.customers.consumerOf.get(customerId)?.fields ?? {};
  const random = randomOf(`${state.seed} owner ${customerId}`);
  const known = (name: string, otherwise: string): string =>
    typeof fields[name] === "string" && fields[name] !== "" ? fields[name] : otherwise;
  return {
    firstName: known("firstName", customer?.firstName ?? "Robin"),
    lastName: known("lastName", customer?.lastName ?? "Fielding"),
    email: known("email", customer?.email ?? `owner.${customerId}@example.com`),
    /** Ten digits. */
    phone: lastDigits(10, known("phone", customer?.phone ?? `801555${random.digits(4)}`)),
    address: {
      line1: known("address", `${random.integer(1, 999)} Harbor Lane`),
      city: known("city", "Fairview"),
      state: known("state", "TX"),
      postalCode: known("zip", "75069"),
    },
    taxId: lastDigits(4, known("ssn", `99960${random.digits(4)}`)),
  };
};

const lastDigits = (count: number, text: string): string => text.replace(/\D/g, "").slice(-count);

export const nameOf = ({ firstName, lastName }: Owner): string => `${firstName} ${lastName}`;

export const addressLine = ({ address: { line1, city, state, postalCode } }: Owner): string =>
  `${line1} ${city} ${state} ${postalCode}`;
