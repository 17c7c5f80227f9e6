/** Compares the answers of a server, to recognize one that gives the same answer to every request. */
import { type Exchange, statusOf } from "../../helpers/exchange/exchange.ts";
import { excerpt } from "../../helpers/exchange/redact.ts";

/** Whether the server gave the same answer to different requests. */
export const areAlike = (exchanges: readonly Exchange[]): boolean =>
  exchanges.length > 1 && new Set(exchanges.map(formOf)).size === 1;

/** Returns status, type and body of an answer, without what changes with the request or the time. */
export const formOf = ({ request, response }: Exchange): string => {
  if (response === undefined) return "no answer";
  const type = response.headers["content-type"]?.split(";")[0] ?? "";
  const path = request.url.replace(/^\w+:\/\/[^/]+/, "");
  const [withoutQuery = path] = path.split("?");
  const body = response.body
    .toString("utf8", 0, COMPARED)
    .replaceAll(path, "‹path›")
    .replaceAll(withoutQuery, "‹path›")
    .replaceAll(/\b(GET|POST|PUT|PATCH|DELETE)\b/g, "‹method›")
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/gi, "‹id›")
    .replaceAll(/\d+/g, "0");
  return `${response.status} ${type} ${body}`;
};

/** Characters. */
const COMPARED = 10_000;

export const isClientError = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500 && statusOf(exchange) !== LIMITED;

const LIMITED = 429;

export const isRefusal = (exchange: Exchange): boolean => [401, 403].includes(statusOf(exchange));

/** Returns the status of an answer and the beginning of its message. @param redact removes secrets */
export const quoted = ({ response }: Exchange, redact: (text: string) => string): string => {
  if (response === undefined) return "no answer";
  const challenge = response.headers["www-authenticate"];
  const start = (text: string): string =>
    excerpt(text.replaceAll(/\s+/g, " ").trim(), { text: redact }, QUOTED);
  const said = start(response.body.toString());
  const asks = challenge === undefined ? "" : `, asks for ${start(challenge)}`;
  return `${response.status}${asks}${said === "" ? "" : ` ${said}`}`;
};

const QUOTED = 120;
