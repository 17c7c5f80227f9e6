/** A client of financial data that signs in with the credentials of a sandbox. */
import type { Contract } from "../../../../helpers/contract/contract.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
import type { TestSandbox } from "../../../../mocks/sandbox.ts";

export interface Seen {
  readonly status: number;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export type Client = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Seen>;

/** @param contract that the sandbox serves; ours if absent */
export const financialClient = async (
  { baseUrls, credentials }: Pick<TestSandbox, "baseUrls" | "credentials">,
  contract?: Contract,
): Promise<Client> => {
  const { securitySchemes, operations } = contract ?? (await loadContract("financial-data"));
  const signIn = operations.find(({ operationId }) => operationId === "CreateToken");
  const key = securitySchemes.find(({ name }) => signIn?.security.includes(name))?.header ?? "";
  const token = securitySchemes.find(({ header }) => header !== key)?.header ?? "";
  const known: Record<string, string> = { [key]: credentials.FINANCIAL_DATA_APP_KEY ?? "" };
  const call: Client = async (method, path, body, headers = {}) => {
    const response = await fetch(`${baseUrls["financial-data"]}${path}`, {
      method,
      headers: {
        ...known,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, json: text === "" ? {} : JSON.parse(text) };
  };
  const { json } = await call(signIn?.method ?? "", signIn?.path ?? "", {
    partnerId: credentials.FINANCIAL_DATA_PARTNER_ID,
    partnerSecret: credentials.FINANCIAL_DATA_PARTNER_SECRET,
  });
  known[token] = String(json.token);
  return call;
};
