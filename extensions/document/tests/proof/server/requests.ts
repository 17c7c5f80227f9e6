/** Requests to the server: their headers, cookies and credentials. */
import type http from "node:http";
import type { Operation, Scheme } from "./reading.ts";
import type { Raw } from "./styles.ts";

export interface Request {
  readonly url: URL;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export const cookiesIn = (header = ""): Raw =>
  header
    .split(/; */)
    .filter(Boolean)
    .map((one) => {
      const at = one.indexOf("=");
      return [one.slice(0, at), decodeURIComponent(one.slice(at + 1))] as const;
    });

export const headerOf = ({ headers }: Request, name: string): string | undefined => {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(",") : value;
};

/** Whether one alternative has all its credentials. */
export const isAllowed = (
  { security }: Operation,
  request: Request,
  secrets: Readonly<Record<string, string>>,
): boolean =>
  security.length === 0 ||
  security.some((schemes) =>
    schemes.every((scheme) => credentialIn(scheme, request) === secrets[scheme.name]),
  );

const credentialIn = ({ place, key }: Scheme, request: Request): string | undefined => {
  if (place === "query") return request.url.searchParams.get(key) ?? undefined;
  if (place === "cookie") return cookiesIn(request.headers.cookie).find(([name]) => name === key)?.[1];
  return headerOf(request, key);
};
