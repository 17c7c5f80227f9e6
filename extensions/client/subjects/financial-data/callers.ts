/** The clients of financial data that prove the caller checks: right ones, and wrong ones that differ in one thing. */
import type { WrongClient } from "../setting.ts";
import { accounts } from "./wrong/accounts.ts";
import { answers } from "./wrong/answers.ts";
import { flows } from "./wrong/flows.ts";
import { limits } from "./wrong/limits.ts";
import { reports } from "./wrong/reports.ts";
import { tokens } from "./wrong/tokens.ts";
import { wire } from "./wrong/wire.ts";

export { right } from "./right.ts";

export const wrong: readonly WrongClient[] = [
  ...tokens,
  ...reports,
  ...accounts,
  ...flows,
  ...answers,
  ...limits,
  ...wire,
];
