/** The clients of financial data that prove the caller checks: right ones, and wrong ones that differ in one thing. */
import type { WrongClient } from "../setting.ts";
import { behaviour } from "./wrong/behaviour.ts";
import { requests } from "./wrong/requests.ts";

export { rightClients as right } from "./right.ts";

export const wrong: readonly WrongClient[] = [...behaviour, ...requests];
