/** Settings with secrets, and a redactor that knows them. */
import { createRedactor } from "../../../helpers/exchange/redact.ts";

export const VALUES = {
  CARD_ENROLLMENT_BASE_URL: "https://api.example.com/src",
  CARD_ENROLLMENT_API_KEY: "k3y-Canary_0001",
  FINANCIAL_DATA_PARTNER_SECRET: "aB1!@#$%&*_-+'\"\\/<é😀 z",
  FINANCIAL_DATA_CUSTOMER_ID: "1005061234",
};
export const SECRET = VALUES.FINANCIAL_DATA_PARTNER_SECRET;

export const redactor = createRedactor(VALUES, []);
