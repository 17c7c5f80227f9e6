/** Requests for access tokens with the credentials of a client (RFC 6749, 4.4). */
import type { Contract, Operation } from "../contract/contract.ts";
import { extensionsOf } from "../contract/extensions.ts";
import { type Exchange, statusOf } from "../exchange/exchange.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";
import { NotTried } from "./stopped.ts";

/** Returns the request of the token as an operation, which no document describes; `undefined` if there is none. */
export const grantOperation = ({ service, securitySchemes }: Contract): Operation | undefined => {
  const scheme = securitySchemes.find(({ grant }) => grant !== undefined);
  if (scheme === undefined) return undefined;
  return {
    ...{
      service,
      operationId: `token of ${scheme.name}`,
      method: "POST",
      path: "/token",
      section: "Security",
    },
    ...{ level: "assumed", deprecated: false, parameters: [], responses: {}, security: [], hazards: [] },
    ...extensionsOf({ "x-token": "/access_token" }),
  };
};

/**
 * Returns the calls that ask for a token, the first with the client's credentials in the header, which every server
 * supports, and another with them in the body (RFC 6749, 2.3.1).
 * @throws NotTried without the credentials
 */
export const grantCalls = (contract: Contract, { values }: Target): Call[] => {
  const scheme = contract.securitySchemes.find(({ grant }) => grant !== undefined);
  if (scheme?.grant === undefined) return [];
  const { address, id, secret, scope } = scheme.grant;
  const [at, user, password] = [address, id, secret].map((name) => values[name]);
  if (at === undefined || user === undefined || password === undefined)
    throw new NotTried("lacks-given", "a token", `--key for client_id and client_secret of ${scheme.name}`);
  const fields = { grant_type: "client_credentials", ...(scope !== "" && { scope }) };
  const call = (more: Record<string, string>, headers: Record<string, string>): Call => ({
    ...{ operationId: `token of ${scheme.name}`, at, headers },
    raw: {
      body: String(new URLSearchParams({ ...fields, ...more })),
      contentType: "application/x-www-form-urlencoded",
    },
  });
  const basic = Buffer.from([user, password].map(encodeURIComponent).join(":")).toString("base64");
  return [
    call({}, { authorization: `Basic ${basic}` }),
    call({ client_id: user, client_secret: password }, {}),
  ];
};

/** Returns the call that asks for a token in the other way, if a server refused the first one. */
export const grantAgain = (contract: Contract, target: Target, refused: Exchange): Call | undefined =>
  contract.securitySchemes.some(({ grant }) => grant !== undefined) && [400, 401].includes(statusOf(refused))
    ? grantCalls(contract, target)[1]
    : undefined;
