/** Adds customers and consumers for their tests. */
import { expect } from "@playwright/test";
import type { Client } from "./client.ts";

export const addCustomer = async (caller: Client, username: string, fields: Record<string, unknown> = {}) => {
  const answered = await caller.operate("AddTestingCustomer", {}, { username, ...fields });
  expect(answered.status).toBe(201);
  return String(answered.json.id);
};

export const CONSUMER = {
  firstName: "Avery",
  lastName: "Elm",
  address: "1 Lake Road",
  city: "Fairview",
  state: "TX",
  zip: "75069",
  phone: "8015550100",
  ssn: "999601111",
  birthday: { year: 1980, month: 2, dayOfMonth: 3 },
  email: "avery@example.com",
};
