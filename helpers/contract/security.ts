/** The headers of security schemes. Their names come from the contract, because a provider's document may change them. */
import type { Contract } from "./contract.ts";
import type { SecurityScheme } from "./security-scheme.ts";

const nameOf = (scheme: SecurityScheme | undefined): string => scheme?.header.toLowerCase() ?? "";

/** Returns the lower-case header of a scheme; an empty text if there is no such scheme. @param scheme its name */
export const headerOf = ({ securitySchemes }: Pick<Contract, "securitySchemes">, scheme: string): string =>
  nameOf(securitySchemes.find(({ name }) => name === scheme));

/** Returns the lower-case header of the access token; an empty text if there is none. Nobody configures its value. */
export const tokenHeader = ({ securitySchemes }: Pick<Contract, "securitySchemes">): string =>
  nameOf(securitySchemes.find(({ configuration }) => configuration === undefined));
