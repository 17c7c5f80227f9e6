/** Tells whether two requests are equal. */
import type { Seen } from "../traffic/seen.ts";

/** Equal for requests with the same method, URL and body. */
export const requestOf = ({ exchange, marks }: Seen): string =>
  `${exchange.request.method} ${exchange.request.url} ${marks.body ?? ""}`;
