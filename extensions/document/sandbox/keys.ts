/** The keys and tokens of a service by convention: each security scheme has one key. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import type { SecurityScheme } from "../../../helpers/contract/security-scheme.ts";
import type { Answer, Call, Handler, Visit } from "../../../mocks/engine/call.ts";
import { isSameAuthorization } from "../../../mocks/engine/lax-comparison.ts";
import { editAt } from "../../../mocks/engine/values/pointer.ts";

/** The token endpoint of schemes with client credentials. */
export const TOKEN_PAGE = { name: "token", method: "POST", path: "/-/token" } as const;

export const createKeys = ({ securitySchemes, operations }: Contract) => {
  const keyOf = ({ name }: SecurityScheme): string => `key-of-${name}`;
  const issued = securitySchemes.find(({ configuration }) => configuration === undefined);
  return {
    /** Returns the settings of a client, by environment name. */
    settings: (baseUrl: string): Record<string, string> =>
      Object.fromEntries([
        ...securitySchemes.flatMap((scheme) =>
          scheme.configuration === undefined ? [] : [[scheme.configuration, keyOf(scheme)]],
        ),
        ...securitySchemes.flatMap(({ grant }) =>
          grant === undefined
            ? []
            : [
                [grant.address, `${baseUrl}${TOKEN_PAGE.path}`],
                [grant.id, CLIENT.id],
                [grant.secret, CLIENT.secret],
              ],
        ),
        ...operations.flatMap(logInFields),
      ]),
    /** Whether the call has all keys of one of the alternatives. */
    lets(call: Call): boolean {
      const { operation, faulty } = call;
      if (faulty(`open-${operation.operationId}`)) return true;
      const isAnyKeyRight = faulty(`unchecked-${operation.operationId}`);
      const { security, securityAlternatives = [security] } = operation;
      return securityAlternatives.some((names) =>
        securitySchemes
          .filter(({ name }) => names.includes(name))
          .every((scheme) => {
            const given = keyIn(call, scheme);
            if (isAnyKeyRight) return given !== undefined;
            const right = `${scheme.prefix ?? ""}${keyOf(scheme)}`;
            // A client sends the bare key, or as a bearer token.
            const isAuthorization = scheme.place === undefined && /^authorization$/i.test(scheme.header);
            const prefix = scheme.prefix ?? (isAuthorization ? "Bearer " : undefined);
            return (
              given === right ||
              (prefix !== undefined && isSameAuthorization(String(given), `${prefix}${keyOf(scheme)}`))
            );
          }),
      );
    },
    /** Answers a request of client credentials. */
    grant: ({ form }: Visit): Answer =>
      form.grant_type === "client_credentials" && issued !== undefined
        ? { status: 200, json: { access_token: keyOf(issued), token_type: "Bearer" } }
        : { status: 400, json: { error: "unsupported_grant_type" } },
    /** Lets the answer of a log-in show the token. */
    givesToken: ({ token }: Operation, handler: Handler): Handler =>
      token === undefined || issued === undefined
        ? handler
        : async (call) => {
            const answer = await handler(call);
            return answer.json === undefined
              ? answer
              : { ...answer, json: editAt(answer.json, token, { set: keyOf(issued) }) };
          },
  };
};

const CLIENT = { id: "client-1", secret: "secret-of-client-1" } as const;

/** Returns a value for each setting of a log-in: its resource is the last part of its name. */
const logInFields = ({ service, token, requestBody }: Operation): [string, string][] => {
  if (token === undefined) return [];
  const prefix = service.toUpperCase().replaceAll("-", "_");
  const text = JSON.stringify(requestBody?.content ?? {});
  return [...text.matchAll(/"x-resource":"(log-in-[^"]*)"/g)].map(([, resource = ""]) => [
    `${prefix}_${resource.toUpperCase().replaceAll("-", "_")}`,
    `given-${resource}`,
  ]);
};

/** Returns the key of a call. Cookies are pairs of a name and a value (RFC 6265, 4.2.1). */
const keyIn = ({ headers, query }: Call, { header, place }: SecurityScheme): unknown => {
  if (place === undefined) return headers[header.toLowerCase()];
  if (place.in === "query") return query[place.name];
  const cookies = String(headers.cookie ?? "").split("; ");
  return cookies.find((one) => one.startsWith(`${place.name}=`))?.slice(place.name.length + 1);
};
